import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

/** Not what only the pages of sign-in share, or what opens over a page that is there. */
const SHARED =
  /web.src.(app.shell|lib.(?!auth-messages|own-path|use-arrival|realtime-line)|ui.(?!text-field|sheet|switch))/

export default defineConfig({
  plugins: [react(), tailwind()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsDir: 'assets',
    // Fonts and images stay files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    manifest: true,
    target: 'es2022',
    // The words that passwords are measured by, which come when one is typed, are this large.
    chunkSizeWarningLimit: 1200,
    // What the dashboard shares with other pages is one file: it weighs less than in a dozen.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'base', test: SHARED, minShareCount: 2 }] } },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': server,
      '/auth': server,
      '/realtime': { target: server, ws: true },
      '/healthz': server,
      '/readyz': server,
    },
  },
})
