import type { Plugin } from 'vite'

const STYLE = /<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/g
const SCRIPT = /<script type="module"/g

/**
 * Makes the page one that is drawn at once: its style sheet, which is small, stands in it, and its script, which it
 * can do without for a while, lets the pictures go first.
 */
export function quickPage(): Plugin {
  return {
    name: 'quick-page',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const page of Object.values(bundle)) {
        if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
        const styled = String(page.source).replaceAll(STYLE, (_link, name: string) => {
          const sheet = bundle[name]
          if (sheet?.type !== 'asset') this.error(`The page asks for ${name}, which is not built`)
          delete bundle[name]
          return `<style>${String(sheet.source).trim()}</style>`
        })
        page.source = styled.replaceAll(SCRIPT, '<script type="module" fetchpriority="low"')
      }
    },
  }
}
