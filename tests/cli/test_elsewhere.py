"""Documents of other machines: what is fetched, what is not fetched again, and what survives a bad server."""

import contextlib
import json
import os
import time
import unittest

import file_servers
from file_servers import PageServer, cut, fails, leads_to, tag_of
from program import QUICK, ProgramTest

AUDIT = b"The auditors of Harbor Holding are Lindqvist and Partners.\n"
FLEET = b"The fleet has 31 ferries. The oldest ferry is the Aurora.\n"
BLANKS = b"Mooring fees rose by 4 percent in 2024.\n"


class Elsewhere(ProgramTest):
    """Each test has a cache of its own."""

    def setUp(self):
        super().setUp()
        self.variables = {"XDG_CACHE_HOME": str(self.folder / "cache"), "HOME": str(self.folder)}
        self.variables.update({name: "" for name in os.environ if name.startswith("AWS_")})
        self.store = self.folder / "s.store"

    def copies(self):
        root = self.folder / "cache" / "fineprint" / "fetched"
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file() and "/." not in str(path.relative_to(root))
        }

    def index(self, *arguments, code=0, env=None):
        return self.must(
            "index", *arguments, "--fetch", "https", "--store", self.store, *QUICK, "--json", "-v",
            code=code, env={**self.variables, **(env or {})},
        )

    def counts(self, result):
        return result.records()[-1]

    def listed(self):
        listing = self.must("list", "--store", self.store, "--json", env=self.variables).records()
        return {one["doc"]: one["status"] for one in listing}

    def write_netrc(self, text):
        file = self.folder / ".netrc"
        file.write_text(text)
        file.chmod(0o600)


class WebFolders(Elsewhere):
    def site(self, **options):
        files = {
            "docs/audit.txt": AUDIT,
            "docs/2024/fleet.txt": FLEET,
            "docs/2024/größe & preise.txt": BLANKS,
            "docs/film.mp4": b"no document",
            "docs/.secret.txt": b"hidden",
            "other/away.txt": b"not below the folder",
        }
        return PageServer(files, **options)

    def test_a_folder_is_read_and_named_by_its_addresses(self):
        with self.site() as server:
            result = self.index(f"{server.url}/docs/")
            names = {
                f"{server.url}/docs/audit.txt": "indexed",
                f"{server.url}/docs/2024/fleet.txt": "indexed",
                f"{server.url}/docs/2024/gr%C3%B6%C3%9Fe%20%26%20preise.txt": "indexed",
            }
            self.assertEqual(self.listed(), names)
            self.assertIn("1 .mp4", result.err)
            asked = server.paths()
            self.assertNotIn("docs/film.mp4", asked)
            self.assertNotIn("other/away.txt", asked)
            hit = self.must(
                "search", "auditors", "--store", self.store, "--format", "json", *QUICK, env=self.variables
            ).records()[0]
            self.assertEqual(hit["doc"], f"{server.url}/docs/audit.txt")
            shown = self.must("list", "--store", self.store, "--json", env=self.variables).out
            self.assertNotIn(str(self.folder), shown)
            page = self.must("show", f"{server.url}/docs/audit.txt#1", "--store", self.store, env=self.variables)
            self.assertIn("Lindqvist", page.out)

    def test_only_what_has_changed_is_fetched_again(self):
        with self.site() as server:
            self.index(f"{server.url}/docs/")
            server.paths()
            again = self.index(f"{server.url}/docs/")
            self.assertEqual(self.counts(again)["unchanged"], 3)
            self.assertIn("3 documents, 0 of them fetched now", again.err)
            server.files["docs/audit.txt"] = AUDIT.replace(b"Lindqvist", b"Sandberg")
            server.files["docs/new.txt"] = b"A new document about pilots."
            del server.files["docs/2024/fleet.txt"]
            changed = self.counts(self.index(f"{server.url}/docs/", "--prune"))
            self.assertEqual([changed[key] for key in ("indexed", "unchanged", "removed")], [2, 1, 1])
            self.assertNotIn(f"{server.url}/docs/2024/fleet.txt", self.listed())
            self.assertEqual(len(self.copies()), 3)

    def test_an_answer_cites_the_address(self):
        with self.site() as server:
            arguments = ["ask", "Who are the auditors of Harbor Holding?", f"{server.url}/docs", *QUICK]
            answer = self.must(*arguments, "--fetch", "https", "--json", code=3, env=self.variables)
            self.assertIn("this is a folder; end its address with '/'", answer.err)
            arguments[2] += "/"
            answer = self.must(*arguments, "--fetch", "https", "--json", env=self.variables).records()[0]
            self.assertIn("Lindqvist", answer["answer"])
            self.assertEqual(answer["citations"][0]["doc"], f"{server.url}/docs/audit.txt")
            stores = self.must("stores", "--json", env=self.variables)
            self.assertEqual(stores.records()[0]["folders"], [f"{server.url}/docs"])
            self.assertIn("copies of documents from elsewhere", stores.err)
            # The server is gone: what was fetched still answers, and the command says so.
        late = self.must(*arguments, "--fetch", "https", "--json", code=1, env=self.variables)
        self.assertIn("Lindqvist", late.records()[0]["answer"])
        self.assertIn(server.url, late.err)

    def test_a_file_by_its_address(self):
        with self.site() as server:
            self.index(f"{server.url}/docs/audit.txt")
            self.assertEqual(list(self.listed()), [f"{server.url}/docs/audit.txt"])
            server.paths()
            self.index(f"{server.url}/docs/audit.txt")
            self.assertEqual(server.paths(), ["docs/audit.txt"])
            self.index(f"{server.url}/docs/")
            # Not the folder, whose copies stay.
            self.assertIn("end its address with", self.index(f"{server.url}/docs", code=1).err)
            self.assertEqual(len(self.copies()), 3)
            missing = self.index(f"{server.url}/docs/none.txt", code=3)
            self.assertIn(f"{server.url}/docs/none.txt: there is no such file (404)", missing.err)

    def test_nothing_is_fetched_unless_it_is_asked_for(self):
        with self.site() as server:
            address = f"{server.url}/docs/"
            result = self.must("index", address, "--store", self.store, code=2, env=self.variables)
            self.assertIn("--fetch https", result.err)
            self.assertFalse(self.store.exists())
            (self.folder / "fineprint.toml").write_text('fetch = "https"\n')
            untrusted = self.must(
                "index", address, "--store", self.store, code=2, cwd=self.folder, env=self.variables
            )
            self.assertIn("fetch", untrusted.err)
            self.assertIn("trust", untrusted.err)
            self.assertEqual(server.asked, [])
        plain = self.must(
            "index", "http://192.0.2.1/docs/", "--fetch", "https", "--store", self.store, code=2, env=self.variables
        )
        self.assertIn("--fetch any", plain.err)
        useless = self.must("index", self.folder, "--fetch", "https", "--store", self.store, code=2)
        self.assertIn("--fetch: none of the paths is an address", useless.err)

    def test_wrong_addresses_are_refused_without_repeating_secrets(self):
        for address, why in (
            ("https://me:hunter2@h.example/docs/", "~/.netrc"),
            ("https://h.example/a.pdf?key=hunter2", "query"),
            ("https://h.example/a.pdf#hunter2", "'#'"),
            ("ftp://h.example/", "ftp://"),
            ("https:///a.pdf", "host"),
            ("https://h.example/a/../b.pdf", '".."'),
            ("https://h.example/%2e%2e/b.pdf", '".."'),
            ("https://h.example/a%2fb.pdf", "slash"),
            ("https://h.example/a%00.pdf", "control"),
            ("https://h.example/%zz.pdf", "hexadecimal"),
            ("https://h.example/" + "x" * 256, "255 bytes"),
        ):
            with self.subTest(address):
                result = self.must(
                    "index", address, "--fetch", "https", "--store", self.store, code=2, env=self.variables
                )
                self.assertIn(why, result.err)
                self.assertNotIn("hunter2", result.err)

    def test_other_commands_refuse_addresses(self):
        for arguments in (["watch", "https://h/"], ["index", "https://h/", "--dry-run"]):
            result = self.must(*arguments, "--store", self.store, code=2, env=self.variables)
            self.assertIn("https://h/: ", result.err)


class BadServers(Elsewhere):
    def one(self, content=AUDIT):
        return PageServer({"d/a.txt": content, "d/b.txt": FLEET})

    def test_passing_failures_are_waited_out(self):
        with self.one() as server:
            server.faults["d/"] = [fails(500), fails(429, **{"Retry-After": "1"})]
            server.faults["d/a.txt"] = [fails(503), fails(502)]
            start = time.monotonic()
            self.index(f"{server.url}/d/")
            self.assertGreater(time.monotonic() - start, 1)
            self.assertEqual(len(self.listed()), 2)
            server.faults["d/"] = [fails(429, **{"Retry-After": "3600"})]
            slow = self.index(f"{server.url}/d/", code=1)
            self.assertIn("pause of 3600", slow.err)

    def test_a_cut_connection_goes_on_where_it_ended(self):
        content = b"".join(b"Line %d of a long report.\n" % i for i in range(4000))
        with self.one(content) as server:
            server.faults["d/a.txt"] = [cut(content, 30_000), None]
            self.index(f"{server.url}/d/")
            ranges = [headers.get("Range") for _, path, headers in server.asked if path == "d/a.txt"]
            self.assertEqual(len(ranges), 2)
            self.assertRegex(ranges[1], r"bytes=\d+-")
            self.assertGreater(int(ranges[1][6:-1]), 0)
            self.assertIn(content, self.copies().values())

    def test_a_file_that_changes_in_the_middle_is_fetched_whole(self):
        before = b"old " * 20_000
        after = b"The new report is shorter. " * 1_000
        with self.one(after) as server:
            server.faults["d/a.txt"] = [cut(before, 30_000)]
            self.index(f"{server.url}/d/")
            self.assertIn(after, self.copies().values())

    def test_a_part_of_another_file_is_not_joined(self):
        before, after = b"old " * 20_000, b"new " * 20_000

        def other_part(handler):
            first = int(handler.headers["Range"][6:-1])
            facts = {"ETag": tag_of(after), "Content-Range": f"bytes {first}-{len(after) - 1}/{len(after)}"}
            handler.send_whole(after[first:], status=206, **facts)

        with self.one(after) as server:
            server.faults["d/a.txt"] = [cut(before, 30_000), other_part]
            self.index(f"{server.url}/d/")
            self.assertIn(after, self.copies().values())
            self.assertFalse(any(b"old old" in copy for copy in self.copies().values()))

    def test_a_refused_file_keeps_its_copy_and_fails(self):
        with self.one() as server:
            self.index(f"{server.url}/d/")
            server.files["d/a.txt"] = b"changed"
            server.faults["d/a.txt"] = [fails(403)]
            result = self.index(f"{server.url}/d/", "--prune", code=1)
            self.assertIn(f"{server.url}/d/a.txt: ", result.err)
            self.assertIn("403", result.err)
            record = result.records()[0]
            self.assertEqual((record["file"], record["status"]), (f"{server.url}/d/a.txt", "failed"))
            self.assertEqual(self.counts(result)["removed"], 0)
            self.assertIn(AUDIT, self.copies().values())

    def test_a_list_that_fails_removes_nothing(self):
        with self.one() as server:
            server.files["d/in/c.txt"] = BLANKS
            self.index(f"{server.url}/d/")
            server.faults["d/in/"] = [fails(403)]
            inner = self.index(f"{server.url}/d/", "--prune", code=1)
            self.assertEqual(self.counts(inner)["removed"], 0)
            server.faults["d/"] = [fails(404)]
            outer = self.index(f"{server.url}/d/", "--prune", code=1)
            self.assertEqual(self.counts(outer)["removed"], 0)
            self.assertEqual(len(self.listed()), 3)

    def test_wrong_length_for_ever_ends_with_an_error(self):
        with self.one() as server:
            server.faults["d/a.txt"] = [cut(AUDIT, 10)] * 9
            server.tags = False
            result = self.index(f"{server.url}/d/", code=1)
            self.assertIn("after 5 attempts", result.err)
            self.assertEqual(list(self.listed()), [f"{server.url}/d/b.txt"])

    def test_redirects(self):
        with self.one() as server, PageServer({"x.txt": AUDIT}) as elsewhere:
            server.faults["d/a.txt"] = [leads_to("/d/a.txt")] * 9
            loop = self.index(f"{server.url}/d/", code=1)
            self.assertIn("more than 5 times", loop.err)
            server.faults["d/a.txt"] = [leads_to(f"{elsewhere.url}/x.txt")]
            other = self.index(f"{server.url}/d/", code=1)
            self.assertIn("only from https to https", other.err)
            self.assertEqual(elsewhere.asked, [])
            server.faults["d/a.txt"] = [leads_to("file:///etc/passwd")]
            self.assertIn("not to an address of the web", self.index(f"{server.url}/d/", code=1).err)
            server.faults["d/a.txt"] = [leads_to("/moved/a.txt")]
            server.files["moved/a.txt"] = BLANKS
            self.index(f"{server.url}/d/")
            self.assertIn(BLANKS, self.copies().values())

    def test_credentials_stay_with_their_host(self):
        certificate = file_servers.make_certificate(self.folder)
        trusted = {"SSL_CERT_FILE": str(certificate)}
        with self.one() as plain, PageServer({"d/a.txt": AUDIT}, certificate) as server:
            with PageServer({"x.txt": FLEET}, certificate) as elsewhere:
                self.write_netrc("machine 127.0.0.1 login me password hunter2\n")
                refused = self.index(f"{server.url}/d/", code=3)
                self.assertIn("SSL_CERT_FILE", refused.err)
                server.faults["d/a.txt"] = [leads_to(f"{elsewhere.url}/x.txt".replace("127.0.0.1", "localhost"))]
                result = self.index(f"{server.url}/d/", env=trusted)
                self.assertTrue(all("Authorization" in headers for _, _, headers in server.asked))
                self.assertEqual(len(elsewhere.asked), 1)
                self.assertNotIn("Authorization", elsewhere.asked[0][2])
                # The same host by another port is another server.
                server.faults["d/a.txt"] = [leads_to(f"{elsewhere.url}/x.txt")]
                server.files["d/a.txt"] = BLANKS
                self.index(f"{server.url}/d/", env=trusted)
                self.assertTrue(all("Authorization" not in headers for _, _, headers in elsewhere.asked))
                server.faults["d/"] = [leads_to(f"{plain.url}/d/")]
                self.assertIn("give that address", self.index(f"{server.url}/d/", code=1, env=trusted).err)
                self.assertNotIn("hunter2", result.err + refused.err)
        kept = b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file() and path.name != ".netrc")
        self.assertNotIn(b"hunter2", kept)
        self.assertNotIn(b"bWU6aHVudGVyMg", kept)

    def test_names_that_are_no_names(self):
        page = "".join(
            f'<a href="{link}">x</a>'
            for link in ("a.txt", "%2e%2e/out.txt", "in%2fout.txt", "nul%00.txt", "/etc/passwd", "//h.example/x.txt",
                         "x" * 300 + ".txt", "a.txt?C=N", "a.txt#top", "javascript:x", "file:///etc/passwd", "%ff.txt",
                         "./", "../d/", "a.txt", ".hidden.txt", "http://[::bad/x.txt")
        ).encode()
        with self.one() as server:
            server.pages["d/"] = page
            result = self.index(f"{server.url}/d/", code=1)
            self.assertEqual(list(self.listed()), [f"{server.url}/d/a.txt"])
            self.assertEqual([path.rsplit("/", 1)[1] for path in self.copies()], ["a.txt"])
            for why in ("contains a slash", "control character", "255 bytes", "not UTF-8"):
                self.assertIn(why, result.err)

    def test_deep_and_endless_pages(self):
        with self.one() as server:
            self.index(f"{server.url}/d/")
            server.pages["d/"] = b"<div>" * 100_000 + b'<a href="a.txt">a</a>'
            no_list = self.index(f"{server.url}/d/", "--prune", code=1)
            self.assertIn("has no link to a file", no_list.err)
            self.assertEqual(self.counts(no_list)["removed"], 0)
            # A folder within a folder within a folder, for ever.
            for depth in range(60):
                server.pages["d/" + "x/" * depth] = b'<a href="x/">x</a>'
            self.assertIn("within each other", self.index(f"{server.url}/d/", code=1).err)

    def test_limits(self):
        with self.one(b"x" * 5000) as server:
            many = self.index(f"{server.url}/d/", "--fetch-files", "1", code=3)
            self.assertIn("--fetch-files", many.err)
            result = self.index(f"{server.url}/d/", "--fetch-file-bytes", "4000", code=1)
            self.assertIn("--fetch-file-bytes", result.err)
            self.assertEqual(list(self.listed()), [f"{server.url}/d/b.txt"])
            large = self.index(f"{server.url}/d/", "--fetch-bytes", "4000", code=1)
            self.assertIn("--fetch-bytes", large.err)

    def test_a_server_that_is_away_is_given_up_soon(self):
        with PageServer() as server:
            pass
        start = time.monotonic()
        self.index(f"{server.url}/d/", code=3)
        self.assertLess(time.monotonic() - start, 60)

    def test_an_interrupted_run_loses_nothing(self):
        content = b"".join(b"Line %d of a long report.\n" % i for i in range(40_000))

        def stalls(handler):
            facts = {"ETag": tag_of(content)}
            handler.send_whole(content[:500_000], length=len(content), **facts)
            handler.wfile.flush()
            time.sleep(30)

        with PageServer({"d/a.txt": content, "d/b.txt": FLEET}) as server:
            server.faults["d/a.txt"] = [stalls]
            run = self.start(
                "index", f"{server.url}/d/", "--fetch", "https", "--store", self.store, *QUICK, env=self.variables
            )
            parts = self.folder / "cache/fineprint/fetched/http" / f"127.0.0.1:{server.port}/.parts"
            end = time.monotonic() + 60
            while time.monotonic() < end:
                with contextlib.suppress(OSError):
                    if max((path.stat().st_size for path in parts.iterdir()), default=0) >= 500_000:
                        break
                time.sleep(0.05)
            run.kill()
            run.communicate()
            server.asked.clear()
            self.index(f"{server.url}/d/")
            ranges = {path: headers.get("Range") for _, path, headers in server.asked}
            self.assertEqual(ranges["d/a.txt"], "bytes=500000-")
            self.assertIn(content, self.copies().values())


def bucket_page(keys=(), token=None):
    """A page of a list of objects."""
    items = "".join(f"<Contents><Key>{key}</Key><Size>5</Size><ETag>x</ETag></Contents>" for key in keys)
    more = f"<IsTruncated>true</IsTruncated><NextContinuationToken>{token}</NextContinuationToken>" if token else ""
    return f"<?xml version='1.0'?><ListBucketResult>{items}{more}</ListBucketResult>".encode()


class BadLists(Elsewhere):
    """Lists of S3 and WebDAV as a hostile server may write them."""

    def bucket(self, server, pages, code):
        numbered = iter(range(100_000))

        def reply(handler):
            handler.send_whole(pages(next(numbered)), kind="application/xml")

        server.faults["b/"] = [reply] * 20_000
        return self.index("s3://b/d/", code=code, env={"AWS_ENDPOINT_URL": server.url})

    def test_lists_that_never_end(self):
        with PageServer() as server:
            same = self.bucket(server, lambda _: bucket_page(["d/a.txt"], "t"), 3)
            self.assertIn("does not end", same.err)
            empty = self.bucket(server, lambda i: bucket_page([], f"t{i}"), 3)
            self.assertIn("does not end", empty.err)
            full = self.bucket(server, lambda i: bucket_page([f"d/{i}-{j}.txt" for j in range(1000)], f"t{i}"), 3)
            self.assertIn("--fetch-files", full.err)

    def test_keys_that_are_no_names(self):
        with PageServer({"b/d/good.txt": AUDIT}) as server:
            keys = ["d/good.txt", "d/../../out.txt", "d//x.txt", "d/%00.txt", "d/" + "x" * 300 + ".txt", "d/"]
            result = self.bucket(server, lambda _: bucket_page(keys), 1)
            self.assertEqual(list(self.listed()), ["s3://b/d/good.txt"])
            self.assertIn("s3://b/d/../../out.txt: a name is \"..\"", result.err)
            elsewhere = self.bucket(server, lambda _: bucket_page(["other/x.txt"]), 1)
            self.assertIn("not asked for", elsewhere.err)

    def test_bombs_and_rubbish(self):
        laughs = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(12))
        bomb = f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]><ListBucketResult><Contents><Key>&l12;</Key></Contents></ListBucketResult>'
        deep = "<a>" * 100_000
        for name, text in (("bomb", bomb), ("deep", deep), ("html", "<html>no list</html>"), ("nothing", "")):
            with self.subTest(name), PageServer() as server:
                start = time.monotonic()
                result = self.bucket(server, lambda _, text=text: text.encode(), 3)
                self.assertIn("s3://b/d/: ", result.err)
                self.assertLess(time.monotonic() - start, 60)

    def test_a_server_that_does_not_speak_webdav(self):
        with PageServer({"d/a.txt": AUDIT}) as server:
            result = self.index(f"webdav+{server.url}/d/", code=3)
            self.assertIn("does not speak WebDAV", result.err)


@file_servers.needs_servers
class Buckets(Elsewhere):
    """A real server of S3's protocol, which checks the signature of each call."""

    def test_a_bucket(self):
        with file_servers.bucket_server(self.folder) as (url, access):
            keys = [access["AWS_ACCESS_KEY_ID"], access["AWS_SECRET_ACCESS_KEY"]]
            odd = "2024/größe & (1)+x=y.txt"
            objects = {"2024/audit.txt": AUDIT.decode(), odd: BLANKS.decode(), "fleet.txt": FLEET.decode(), "a.bin": "-"}
            file_servers.bucket_call(url, "put", *keys, json.dumps(objects))
            self.index("s3://reports/2024", env=access)
            names = {"s3://reports/2024/audit.txt": "indexed", f"s3://reports/{odd}": "indexed"}
            self.assertEqual(self.listed(), names)
            all_of_it = self.index("s3://reports", env=access)
            self.assertIn("3 documents, 1 of them fetched now", all_of_it.err)
            self.assertIn("1 .bin", all_of_it.err)
            again = self.index("s3://reports/", env=access)
            self.assertIn("3 documents, 0 of them fetched now", again.err)
            self.assertEqual(self.counts(again)["unchanged"], 3)
            file_servers.bucket_call(url, "put", *keys, json.dumps({"fleet.txt": "The fleet has 32 ferries."}))
            file_servers.bucket_call(url, "delete", *keys, json.dumps(["2024/audit.txt"]))
            changed = self.counts(self.index("s3://reports/", "--prune", env=access))
            self.assertEqual([changed[key] for key in ("indexed", "unchanged", "removed")], [1, 1, 1])
            one = self.index("s3://reports/fleet.txt", env=access)
            self.assertEqual(self.counts(one)["unchanged"], 1)
            self.assertIn("no such object or folder", self.index("s3://reports/none", code=3, env=access).err)
            wrong = {**access, "AWS_SECRET_ACCESS_KEY": "not-the-secret"}
            refused = self.index("s3://reports/", code=1, env=wrong)
            self.assertIn("403", refused.err)
            kept = b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())
            for secret in keys:
                self.assertNotIn(secret.encode(), kept.replace(b"moto", b""))
                self.assertNotIn(secret, refused.err + changed.get("", ""))

    def test_more_objects_than_fit_on_a_page(self):
        with file_servers.bucket_server(self.folder) as (url, access):
            keys = [access["AWS_ACCESS_KEY_ID"], access["AWS_SECRET_ACCESS_KEY"]]
            objects = {f"many/{i:04}.bin": "-" for i in range(35)} | {"many/last.txt": FLEET.decode()}
            file_servers.bucket_call(url, "put", *keys, json.dumps(objects))
            result = self.index("s3://reports/many/", env=access)
            self.assertIn("35 .bin", result.err)
            self.assertEqual(list(self.listed()), ["s3://reports/many/last.txt"])


@file_servers.needs_servers
class DavFolders(Elsewhere):
    def test_a_folder_of_webdav(self):
        root = self.folder / "served"
        (root / "docs" / "2024").mkdir(parents=True)
        (root / "docs" / "audit.txt").write_bytes(AUDIT)
        (root / "docs" / "2024" / "größe & preise.txt").write_bytes(BLANKS)
        (root / "away.txt").write_bytes(FLEET)
        with file_servers.dav_server(self.folder, root, "me", "hunter2") as host:
            address = f"webdav+http://{host}/docs/"
            refused = self.index(address, code=3)
            self.assertIn("401", refused.err)
            self.assertIn("~/.netrc", refused.err)
            self.write_netrc("machine 127.0.0.1 login me password hunter2\n")
            self.index(address)
            names = {f"{address}audit.txt": "indexed", f"{address}2024/gr%C3%B6%C3%9Fe%20%26%20preise.txt": "indexed"}
            self.assertEqual(self.listed(), names)
            again = self.index(address)
            self.assertIn("2 documents, 0 of them fetched now", again.err)
            (root / "docs" / "audit.txt").write_bytes(AUDIT * 2)
            (root / "docs" / "2024" / "größe & preise.txt").unlink()
            changed = self.counts(self.index(address[:-1], "--prune"))
            self.assertEqual([changed[key] for key in ("indexed", "unchanged", "removed")], [1, 0, 1])
            one = self.index(f"{address}audit.txt")
            self.assertEqual(self.counts(one)["unchanged"], 1)
            self.assertIn("no such file or folder", self.index(f"{address}none.txt", code=3).err)


if __name__ == "__main__":
    unittest.main()
