import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PriorityPage } from '@bancone/contract/priority-customer'
import type { PublicPage } from '@bancone/contract/public-offers'
import type { PageRenderer, PriorityPageRenderer } from '../../ports/page-renderer.ts'

type Page = PublicPage | PriorityPage

/** The exports of a bundle. `template` is the built HTML document that it fills. */
type RenderPage = (drawn: { page: Page; template: string }) => string | Promise<string>

type Built = { renderPage: RenderPage; template: string }

/**
 * A page renderer that uses the build: `public-pages.js` and `offers.html` in the folder `ssr`. They are loaded with the
 * first page, because many processes never render one.
 *
 * @returns undefined if there is no build
 */
export function createBuiltPages(folder: string): PageRenderer | undefined {
  return createRenderer(folder, 'public-pages.js', 'offers.html')
}

/** As `createBuiltPages`, with `priority-pages.js` and `priority.html`. */
export function createBuiltPriorityPages(folder: string): PriorityPageRenderer | undefined {
  return createRenderer(folder, 'priority-pages.js', 'priority.html')
}

function createRenderer(folder: string, script: string, document: string) {
  const bundle = join(folder, 'ssr', script)
  if (!existsSync(bundle)) return undefined
  let built: Promise<Built> | undefined

  async function load(): Promise<Built> {
    const template = await readFile(join(folder, 'ssr', document), 'utf8')
    const module: unknown = await import(pathToFileURL(bundle).href)
    if (!drawsPages(module)) throw new Error(`${bundle} draws no pages`)
    return { renderPage: module.renderPage, template }
  }

  return {
    async render(page: Page) {
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
