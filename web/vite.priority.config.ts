import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { quickPage } from './scripts/quick-page.ts'
import { withoutSchemas } from './scripts/without-schemas.ts'

/** Preact in the place of React: these pages are opened on any phone, with any reception. */
const preact = [
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom\/server$/, replacement: 'preact-render-to-string' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react$/, replacement: 'preact/compat' },
]

/** The pages of priority access, which customers and displays open. They share no code with others. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [withoutSchemas(), ...(isSsrBuild ? [] : [tailwind(), quickPage()])],
  publicDir: false,
  resolve: { alias: preact },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: isSsrBuild ? '../dist/ssr' : '../dist/web',
    // The other pages are there already.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    manifest: isSsrBuild ? false : '.vite/priority-manifest.json',
    minify: true,
    target: isSsrBuild ? 'node20' : 'es2022',
    rolldownOptions: {
      input: isSsrBuild
        ? { 'priority-pages': 'web/src/priority-pages/render.tsx' }
        : 'web/priority.html',
      // Icons are marked for servers that render React components; nothing here reads the mark.
      onwarn(warning, warn) {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  // What the server loads brings along all that it needs.
  ssr: { noExternal: true },
}))
