import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { createBuiltPages } from './built-pages.ts'

const page = {
  content: null,
  search: { tipo: 'all' },
  offerId: null,
  publicUrl: 'https://bancone.example.it',
  shareImage: null,
} as const

async function built(bundle: string, template?: string): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'ssr'))
  await writeFile(join(folder, 'ssr', 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'ssr', 'public-pages.js'), bundle)
  if (template) await writeFile(join(folder, 'ssr', 'offers.html'), template)
  return folder
}

describe('built pages', () => {
  it('are drawn by the bundle, in the document of the build', async () => {
    const folder = await built(
      'export const renderPage = ({ page, template }) => template.replace("x", page.publicUrl)',
      '<p>x</p>',
    )
    expect(await createBuiltPages(folder).offers?.render(page)).toBe(
      '<p>https://bancone.example.it</p>',
    )
  })

  it('are none where nothing is built', async () => {
    expect(createBuiltPages(await temporaryFolder()).offers).toBeUndefined()
  })

  it('fail while a part is missing, and are there with it', async () => {
    const folder = await built('export const renderPage = async ({ template }) => template')
    const pages = createBuiltPages(folder).offers
    await expect(pages?.render(page)).rejects.toThrow('offers.html')
    await writeFile(join(folder, 'ssr', 'offers.html'), 'here')
    expect(await pages?.render(page)).toBe('here')
  })

  it('fail with a bundle that draws none', async () => {
    const pages = createBuiltPages(await built('export const other = 1', 'x')).offers
    await expect(pages?.render(page)).rejects.toThrow('draws no pages')
  })
})
