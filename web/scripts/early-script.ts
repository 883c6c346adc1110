import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('../src/early.ts', import.meta.url))

/**
 * Puts `early.ts` as a script of its own at the top of the document. It is a file, not text in the document, because the
 * content security policy allows no other scripts; and no module, because modules wait for the document.
 */
export function earlyScript(): Plugin {
  return {
    name: 'early-script',
    apply: 'build',
    async buildStart() {
      const { outputFiles } = await build({
        stdin: {
          contents: `import { askEarly } from ${JSON.stringify(source)}\naskEarly()`,
          resolveDir: '.',
        },
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2022',
      })
      this.emitFile({ type: 'asset', name: 'early.js', source: outputFiles[0]?.text ?? '' })
    },
    transformIndexHtml(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => name.startsWith('assets/early-'))
      if (!file) throw new Error('The build has no early script')
      return [
        {
          tag: 'script',
          attrs: { src: `/${file}` },
          injectTo: 'head-prepend' as const,
        },
      ]
    },
  }
}
