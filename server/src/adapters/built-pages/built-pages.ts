import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageRenderer, PageRenderers } from '../../ports/page-renderer.ts'

/** Fills `template`, the built HTML document. */
type Render<Page> = (drawn: { page: Page; template: string }) => string | Promise<string>

const publicPages = { script: 'public-pages.js', document: 'offers.html' }
const priorityPages = { script: 'priority-pages.js', document: 'priority.html' }

/** The renderers of the build in this folder. Each is loaded with its first page: many processes never render one. */
export function createBuiltPages(folder: string): PageRenderers {
  return {
    offers: createRenderer(folder, { ...publicPages, name: 'renderPage' }),
    counting: createRenderer(folder, { ...publicPages, name: 'renderCountingPage' }),
    privacy: createRenderer(folder, { ...publicPages, name: 'renderPrivacyPage' }),
    priority: createRenderer(folder, { ...priorityPages, name: 'renderPage' }),
  }
}

/** `script`, `document`: files in the folder `ssr`. `name`: the exported function. */
type Bundle = { script: string; document: string; name: string }

function createRenderer<Page>(
  folder: string,
  { script, document, name }: Bundle,
): PageRenderer<Page> | undefined {
  const bundle = join(folder, 'ssr', script)
  if (!existsSync(bundle)) return undefined
  let built: Promise<{ render: Render<Page>; template: string }> | undefined

  async function load() {
    const template = await readFile(join(folder, 'ssr', document), 'utf8')
    const module: unknown = await import(pathToFileURL(bundle).href)
    const render: unknown = Object.entries(module ?? {}).find(([key]) => key === name)?.[1]
    if (!isRender<Page>(render)) throw new Error(`${bundle} draws no pages`)
    return { render, template }
  }

  return {
    async render(page) {
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
function isRender<Page>(value: unknown): value is Render<Page> {
  return typeof value === 'function'
}
