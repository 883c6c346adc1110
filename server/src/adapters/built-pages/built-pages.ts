import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PriorityPage } from '@bancone/contract/priority-customer'
import type { PrivacyPage } from '@bancone/contract/privacy-texts'
import type { PublicPage } from '@bancone/contract/public-offers'
import type { CountingPage } from '@bancone/contract/visits'
import type {
  CountingPageRenderer,
  PageRenderer,
  PriorityPageRenderer,
  PrivacyPageRenderer,
} from '../../ports/page-renderer.ts'

type Page = PublicPage | PriorityPage | CountingPage | PrivacyPage

/** Fills `template`, the built HTML document. */
type Render = (drawn: { page: Page; template: string }) => string | Promise<string>

type Built = { render: Render; template: string }

/**
 * A page renderer that uses the build: `public-pages.js` and `offers.html` in the folder `ssr`. They are loaded with the
 * first page, because many processes never render one.
 *
 * @returns undefined if there is no build
 */
export function createBuiltPages(folder: string): PageRenderer | undefined {
  return createRenderer(folder, { ...publicPages, name: 'renderPage' })
}

/** As `createBuiltPages`, from the same files. */
export function createBuiltCountingPages(folder: string): CountingPageRenderer | undefined {
  return createRenderer(folder, { ...publicPages, name: 'renderCountingPage' })
}

/** As `createBuiltPages`, from the same files. */
export function createBuiltPrivacyPages(folder: string): PrivacyPageRenderer | undefined {
  return createRenderer(folder, { ...publicPages, name: 'renderPrivacyPage' })
}

/** As `createBuiltPages`, with `priority-pages.js` and `priority.html`. */
export function createBuiltPriorityPages(folder: string): PriorityPageRenderer | undefined {
  const bundle = { script: 'priority-pages.js', document: 'priority.html', name: 'renderPage' }
  return createRenderer(folder, bundle)
}

const publicPages = { script: 'public-pages.js', document: 'offers.html' }

/** `name`: the exported function. */
type Bundle = { script: string; document: string; name: string }

function createRenderer(folder: string, { script, document, name }: Bundle) {
  const bundle = join(folder, 'ssr', script)
  if (!existsSync(bundle)) return undefined
  let built: Promise<Built> | undefined

  async function load(): Promise<Built> {
    const template = await readFile(join(folder, 'ssr', document), 'utf8')
    const module: unknown = await import(pathToFileURL(bundle).href)
    const render: unknown = Object.entries(module ?? {}).find(([key]) => key === name)?.[1]
    if (!isRender(render)) throw new Error(`${bundle} draws no pages`)
    return { render, template }
  }

  return {
    async render(page: Page) {
      built ??= load().catch((error: unknown) => {
        built = undefined
        throw error
      })
      const { render, template } = await built
      return render({ page, template })
    },
  }
}

/** What it takes is of the same build. */
function isRender(value: unknown): value is Render {
  return typeof value === 'function'
}
