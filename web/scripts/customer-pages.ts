import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { quickPage } from './quick-page.ts'
import { withoutSchemas } from './without-schemas.ts'

/** Preact in the place of React: these pages are opened on any phone, with any reception. */
const preact = [
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom\/server$/, replacement: 'preact-render-to-string' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react$/, replacement: 'preact/compat' },
]

type CustomerPages = {
  /** Of the manifest, and of the folder and the module for the server, which end with `-pages`. */
  name: string
  /** The file in `web`. */
  document: string
}

/** The build of pages that customers open, for the browser and for the server. They share no code with others. */
export function customerPages({ name, document }: CustomerPages) {
  return defineConfig(({ isSsrBuild }) => ({
    plugins: [withoutSchemas(), ...(isSsrBuild ? [] : [tailwind(), quickPage()])],
    publicDir: false,
    resolve: { alias: preact },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: isSsrBuild ? '../dist/ssr' : '../dist/web',
      // The other pages are there already.
      emptyOutDir: false,
      assetsInlineLimit: 0,
      // A page is one script; a part that is loaded later imports nothing else.
      modulePreload: false,
      // Its name distinguishes it from the other builds'.
      manifest: isSsrBuild ? false : `.vite/${name}-manifest.json`,
      minify: true,
      target: isSsrBuild ? 'node20' : 'es2022',
      rolldownOptions: {
        input: isSsrBuild
          ? { [`${name}-pages`]: `web/src/${name}-pages/render.tsx` }
          : `web/${document}`,
        // Icons are marked for servers that render React components; nothing here reads the mark.
        onwarn(warning, warn) {
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
        },
      },
    },
    // What the server loads brings along all that it needs.
    ssr: { noExternal: true },
  }))
}
