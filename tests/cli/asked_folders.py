"""A folder of documents that questions are asked about, and the stores that they leave."""

from program import QUICK, ProgramTest

QUESTION = "How many fixed transects were surveyed?"


class AskedFolderTest(ProgramTest):
    """Each test has a cache folder of its own."""

    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs")
        self.env = {"XDG_CACHE_HOME": str(self.folder / "cache")}

    def ask(self, *more, question=QUESTION, paths=None, code=0):
        paths = paths or [self.docs]
        return self.must(
            *["ask", question, *paths, *QUICK, "--json", *more], env=self.env, code=code
        )

    def stores(self, *more, code=0):
        return self.must("stores", "--json", *more, env=self.env, code=code)
