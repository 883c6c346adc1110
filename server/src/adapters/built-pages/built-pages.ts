import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PublicPage } from '@bancone/contract/public-offers'
import type { PageRenderer } from '../../ports/page-renderer.ts'

/** What the bundle exports. `template`: the built document, whose parts it fills. */
type RenderPage = (drawn: { page: PublicPage; template: string }) => string | Promise<string>

type Built = { renderPage: RenderPage; template: string }

/**
 * The pages that a build has made, from `public-pages.js` and `offers.html` in its folder `ssr`. They are loaded
 * when one is drawn for the first time: most commands and many processes never draw any.
 *
 * @returns undefined where nothing is built
 */
export function createBuiltPages(folder: string): PageRenderer | undefined {
  const bundle = join(folder, 'ssr', 'public-pages.js')
  if (!existsSync(bundle)) return undefined
  let built: Promise<Built> | undefined

  async function load(): Promise<Built> {
    const template = await readFile(join(folder, 'ssr', 'offers.html'), 'utf8')
    const module: unknown = await import(pathToFileURL(bundle).href)
    if (!drawsPages(module)) throw new Error(`${bundle} draws no pages`)
    return { renderPage: module.renderPage, template }
  }

  return {
    async render(page) {
      built ??= load().catch((error: unknown) => {
        built = undefined
        throw error
      })
      const { renderPage, template } = await built
      return renderPage({ page, template })
    },
  }
}

function drawsPages(module: unknown): module is { renderPage: RenderPage } {
  return (
    typeof module === 'object' &&
    module !== null &&
    'renderPage' in module &&
    typeof module.renderPage === 'function'
  )
}
