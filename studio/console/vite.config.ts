// The consoles are six pages of one build; the web server serves them from the package folder.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "/static/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: here("../web/static"),
    emptyOutDir: true,
    assetsDir: "assets",
    // Nothing is inlined and no polyfill script is needed: the pages run under a strict content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    rollupOptions: {
      input: {
        dealer: here("dealer.html"),
        supervisor: here("supervisor.html"),
        demo: here("demo.html"),
        player: here("player.html"),
        evidence: here("evidence.html"),
        camera: here("camera.html"),
      },
    },
  },
});
