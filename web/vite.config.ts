import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { publicPagesInDev } from './scripts/public-pages-in-dev.ts'
import { withoutJsonSchema } from './scripts/without-json-schema.ts'
import { withoutUnusedAuth } from './scripts/without-unused-auth.ts'

const server = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

const require = createRequire(import.meta.url)
/** The package leads to the build for developers, whichever the conditions. */
const routerForUsers = join(
  dirname(require.resolve('react-router/package.json')),
  'dist/production/index.mjs',
)

/** Shared code of most pages, without what only sign-in pages or overlays use. */
const SHARED =
  /web.src.(app.shell.(?!admin-)|lib.(?!download|opening-|use-action|use-failure|auth-messages|auth-call|external-sign-in|recovery-codes|new-password|password-strength|same-origin-path|use-focus-|use-guarded-|use-leave-|realtime-channel|save-file|upload|use-undoable-removal|page-keys|shortcuts|random-id|focus-first-|use-file-download)|ui.(?!form-|query-|retry-|text-|field|file-|password-|code-|select-|sheet|switch|dialog|confirm-|copy-|leave-|number-|check-|item-|card-list-|shortcuts-|tabs|charts|removable-|list-pages|progress-))/

/** Icons of the first page that other pages have too: each alone would be a file with more frame than content. */
const ICONS =
  /lucide-react.dist.esm.icons.(package|key-round|calendar-range|shield-check|users|log-out|download|plus|refresh-cw|store)\./

/** Code of the orders list and of the notifications on every page, without overlays. */
const ORDERS =
  /web.src.features.(notifications.(notification-state|device-pref)|orders[/\\](?!views-|use-change-views|period-|copy-health|conflict|detail\.|order-shortcuts|bulk|select-all|status-badge|(day|details|exports|new-order)\/))|contract.src.(orders|order-health|order-search|paging|realtime)\./

export default defineConfig(({ command }) => ({
  plugins: [react(), tailwind(), withoutJsonSchema(), withoutUnusedAuth(), publicPagesInDev()],
  resolve: {
    alias: command === 'build' ? [{ find: /^react-router$/, replacement: routerForUsers }] : [],
  },
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
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: SHARED, minShareCount: 2 },
            { name: 'icons', test: ICONS, minShareCount: 2 },
            { name: 'orders', test: ORDERS, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': server,
      '/auth': server,
      '/realtime': { target: server, ws: true },
      '/images': server,
      '/share/offers': server,
      // The pages of priority access for customers are drawn by the server alone, from the last build.
      '^/priority/(?!(settings|report|poster)(/|\\?|$))': server,
      '^/offers/[^/]+/che-cosa-contiamo$': server,
      '/assets': server,
      '/storage': server,
      '/healthz': server,
      '/readyz': server,
    },
  },
}))
