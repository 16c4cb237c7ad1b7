# A formula for Homebrew on Linux. `scripts/package bundle OWNER/REPOSITORY` fills in the words in
# capitals, and the version and hash of the bundle.
class Fineprint < Formula
  desc "Answers questions over folders of documents and shows the pages that prove it"
  homepage "https://github.com/OWNER/REPOSITORY"
  url "https://github.com/OWNER/REPOSITORY/releases/download/vVERSION/BUNDLE"
  sha256 "HASH"
  license "AGPL-3.0-only"

  depends_on arch: :x86_64
  depends_on :linux

  def install
    libexec.install Dir["*"]
    bin.write_exec_script libexec/"bin/fineprint"
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
    bash_completion.install_symlink libexec/"share/bash-completion/completions/fineprint"
    fish_completion.install_symlink libexec/"share/fish/vendor_completions.d/fineprint.fish"
    zsh_completion.install_symlink libexec/"share/zsh/vendor-completions/_fineprint"
  end

  test do
    (testpath/"docs").mkpath
    (testpath/"docs/log.txt").write "The keeper of the lighthouse is Brenda Mull.\n"
    assert_match "Brenda Mull", shell_output("#{bin}/fineprint ask 'Who is the keeper of the lighthouse?' docs")
  end
end
