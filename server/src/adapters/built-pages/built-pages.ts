import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PublicPage } from '@bancone/contract/public-offers'
import type { PageRenderer } from '../../ports/page-renderer.ts'

/** The exports of the bundle. `template` is the built HTML document that it fills. */
type RenderPage = (drawn: { page: PublicPage; template: string }) => string | Promise<string>

type Built = { renderPage: RenderPage; template: string }

/**
 * A page renderer that uses the build: `public-pages.js` and `offers.html` in the folder `ssr`. They are loaded with the
 * first page, because many processes never render one.
 *
 * @returns undefined if there is no build
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
