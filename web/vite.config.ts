import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { pieceGroups } from './scripts/dashboard-pieces.ts'
import { earlyScript } from './scripts/early-script.ts'
import { publicPagesInDev } from './scripts/public-pages-in-dev.ts'

const server = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

const require = createRequire(import.meta.url)
/** The package leads to the build for developers, whichever the conditions. */
const routerForUsers = join(
  dirname(require.resolve('react-router/package.json')),
  'dist/production/index.mjs',
)

/** Leaves out what only the server reads of endpoints, and readers of the API. */
const withoutServerParts: Plugin = {
  name: 'without-server-parts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/contract\/src\// },
    handler: (code) =>
      code.replaceAll(
        /^ {2}(?:summary|audit|errors):\s+(?:'[^'\n]*'|"[^"\n]*"|\{[^}]*\}|\[[^\]]*\]),$/gm,
        '',
      ),
  },
}

export default defineConfig(({ command }) => ({
  plugins: [withoutServerParts, react(), tailwind(), publicPagesInDev(), earlyScript()],
  resolve: {
    alias: command === 'build' ? [{ find: /^react-router$/, replacement: routerForUsers }] : [],
  },
  build: {
    outDir: '../dist/web',
    // The build begins with a fresh folder, into which several builds write at once.
    emptyOutDir: false,
    assetsDir: 'assets',
    // Fonts and images stay files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: {
      // Safari before 17 asks for the two files a moment later without it.
      polyfill: false,
      // The document has loaded these: they need not be named at each part that is loaded later.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === 'html'
          ? names
          : names.filter((name) => !/\/(?:libraries|rolldown-runtime)-/.test(name)),
    },
    target: 'es2022',
    // The words that passwords are measured by, which come when one is typed, are this large.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // Schemas of what is not asked for are left out.
      treeshake: {
        manualPureFunctions: ['z', 'endpoint'],
        // Importing it has no effects, which its package does not declare. Without this rule a form that needs only the
        // type of an error loads the whole client.
        moduleSideEffects: [{ test: /@supabase\/auth-js/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // What the entry imports, whether others do as well: the libraries, which browsers keep when a new version
            // comes, and our own code.
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'application', tags: ['$initial'] },
            // Without it they would be in the first piece that has a form.
            { name: 'forms', test: /react-hook-form|@hookform|src\/lib\/form-fields/ },
            // What many pages have, so that those load nothing of the dashboard.
            { name: 'shared', minShareCount: 6 },
            // Each alone would be a file with more frame than content, and in a piece it would lead other pages to it.
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
            ...pieceGroups,
            // What the pages of a feature share, in one file instead of one for each pair of them.
            { name: 'offers-parts', test: /\/features\/offers\//, minShareCount: 2 },
            // Of less than 1 kB each.
            {
              name: 'small-parts',
              test: /\/ui\/(?:tabs|hosted-image|pressed-link|progress-bar|terms-dialog|radio-cards)\.|\/(?:page-tabs|not-found|require-offers)\./,
            },
            // Not only of the session.
            { name: 'password-field', test: /\/ui\/password-field/ },
            {
              name: 'session-parts',
              test: /\/features\/(session|account)\/|\/use-second-step/,
              minShareCount: 2,
            },
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
      '^/privacy(\\?|$)': server,
      '/assets': server,
      '/storage': server,
      '/healthz': server,
      '/readyz': server,
    },
  },
}))
