import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBuilt, sourceStamp } from './build-stamp.mjs'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'stamp '))
  await write('server/src/main.ts', 'one')
  await write('web/index.html', '<html>')
})
afterEach(() => rm(root, { recursive: true }))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

describe('the stamp of the sources', () => {
  it.each([
    ['a source changes', 'server/src/main.ts', 'two'],
    ['a source appears', 'web/src/app.tsx', ''],
    ['a migration appears', 'server/src/database/migrations/0009.sql', 'select 1'],
    ['a package changes', 'package-lock.json', '{}'],
    ['the build itself changes', 'scripts/build-web.mjs', '//'],
  ])('changes when %s', async (_, file, text) => {
    const before = sourceStamp(root)
    await write(file, text)
    expect(sourceStamp(root)).not.toBe(before)
  })

  it.each([
    ['a test', 'server/src/main.test.ts'],
    ['a document', 'docs/operations.md'],
    ['an installed package', 'server/src/node_modules/a/index.ts'],
  ])('stays when %s changes', async (_, file) => {
    const before = sourceStamp(root)
    await write(file, 'new')
    expect(sourceStamp(root)).toBe(before)
  })

  it('stays when only times change, as after a clone', async () => {
    const before = sourceStamp(root)
    await utimes(join(root, 'server/src/main.ts'), 1, 1)
    expect(sourceStamp(root)).toBe(before)
  })

  it('changes when text moves from one file to the next', async () => {
    await write('server/src/a.ts', 'ab')
    await write('server/src/b.ts', 'c')
    const before = sourceStamp(root)
    await write('server/src/a.ts', 'a')
    await write('server/src/b.ts', 'bc')
    expect(sourceStamp(root)).not.toBe(before)
  })
})

describe('a build', () => {
  const files = [
    'server/main.js',
    'web/index.html',
    'ssr/offers.html',
    'ssr/public-pages.js',
    'ssr/priority.html',
    'ssr/priority-pages.js',
  ]

  it('is good with its stamp and its files', async () => {
    await write('dist/.stamp', 'x')
    for (const file of files) await write(`dist/${file}`, '')
    expect(isBuilt('x', join(root, 'dist'))).toBe(true)
    expect(isBuilt('y', join(root, 'dist'))).toBe(false)
  })

  it('is not when it was interrupted', async () => {
    for (const file of files) await write(`dist/${file}`, '')
    expect(isBuilt('x', join(root, 'dist'))).toBe(false)
  })

  it.each(files)('is not when %s was deleted', async (deleted) => {
    await write('dist/.stamp', 'x')
    for (const file of files.filter((each) => each !== deleted)) await write(`dist/${file}`, '')
    expect(isBuilt('x', join(root, 'dist'))).toBe(false)
  })
})
