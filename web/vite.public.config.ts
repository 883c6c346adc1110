import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { quickPage } from './scripts/quick-page.ts'
import { withoutSchemas } from './scripts/without-schemas.ts'

const require = createRequire(import.meta.url)
/** What draws into a text, without what draws into streams: the server has it in its memory. */
const reactServer = join(
  dirname(require.resolve('react-dom/package.json')),
  'cjs/react-dom-server-legacy.node.production.js',
)

/** The pages that customers see, beside the staff application and apart from it: they share no code. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), withoutSchemas(), ...(isSsrBuild ? [] : [tailwind(), quickPage()])],
  publicDir: false,
  resolve: {
    alias: isSsrBuild ? [{ find: /^react-dom\/server$/, replacement: reactServer }] : [],
  },
  // For the server Vite leaves it open, and would bring React for developers along.
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    outDir: isSsrBuild ? '../dist/ssr' : '../dist/web',
    // The staff application is there already.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    // Its name tells it from the staff application's.
    manifest: isSsrBuild ? false : '.vite/public-manifest.json',
    minify: true,
    target: isSsrBuild ? 'node20' : 'es2022',
    rolldownOptions: {
      input: isSsrBuild ? { 'public-pages': 'web/src/public-pages/render.tsx' } : 'web/offers.html',
    },
  },
  // What the server loads brings along all that it needs.
  ssr: { noExternal: true },
}))
