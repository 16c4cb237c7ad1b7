# A flake for Nix. `scripts/package bundle OWNER/REPOSITORY` fills in the words in capitals, and the
# version and hash of the bundle.
{
  description = "Answers questions over folders of documents and shows the pages that prove each answer";

  inputs.nixpkgs.url = "nixpkgs";

  outputs =
    { self, nixpkgs }:
    let
      system = "x86_64-linux";
      pkgs = nixpkgs.legacyPackages.${system};
    in
    {
      packages.${system}.default = pkgs.stdenvNoCC.mkDerivation {
        pname = "fineprint";
        version = "VERSION";
        src = pkgs.fetchurl {
          url = "https://github.com/OWNER/REPOSITORY/releases/download/vVERSION/BUNDLE";
          sha256 = "HASH";
        };
        # The bundle brings its C library and its loader, so nothing in it is changed.
        dontStrip = true;
        dontPatchELF = true;
        dontPatchShebangs = true;
        installPhase = ''
          mkdir -p $out/bin $out/libexec
          cp -r . $out/libexec/fineprint
          cat > $out/bin/fineprint <<EOF
          #!${pkgs.runtimeShell}
          own=$out/libexec/fineprint
          export TESSDATA_PREFIX=\''${TESSDATA_PREFIX:-\$own/share/fineprint/tessdata}
          exec \$own/lib/fineprint/c/ld-linux-x86-64.so.2 --library-path \$own/lib/fineprint/c \$own/bin/fineprint-program "\$@"
          EOF
          chmod +x $out/bin/fineprint
          ln -s $out/libexec/fineprint/share $out/share
        '';
        meta.mainProgram = "fineprint";
      };
    };
}
