import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPlaces, firstThatAnswers } from './chromium-places.mjs'
import { ROOT } from './command.mjs'
import { runNode } from './tools.mjs'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browsers '))
  for (const name of ['broken', 'works', 'too']) await writeFile(join(folder, name), '')
})
afterAll(() => rm(folder, { recursive: true }))

describe('where a browser may be', () => {
  it('is first of all the PATH, by name before folder', () => {
    const places = chromiumPlaces('linux', { PATH: '/a:/b' })
    expect(places.slice(0, 3)).toEqual(['/a/chromium', '/b/chromium', '/a/chromium-browser'])
  })

  it('is a fixed place on a Mac', () => {
    expect(chromiumPlaces('darwin', {}).every((place) => place.startsWith('/Applications/'))).toBe(
      true,
    )
  })

  it('is among the programs on Windows', () => {
    const places = chromiumPlaces('win32', { PROGRAMFILES: 'C:\\Programs' })
    expect(places.some((place) => place.includes('Programs') && place.endsWith('chrome.exe'))).toBe(
      true,
    )
  })
})

it('takes the first that is there and answers', async () => {
  const places = ['nowhere', 'broken', 'works', 'too'].map((name) => join(folder, name))
  const answers = async (path: string) => !path.endsWith('broken')
  expect(await firstThatAnswers(places, answers)).toBe(join(folder, 'works'))
  expect(await firstThatAnswers(places.slice(0, 2), answers)).toBeUndefined()
})

describe('CHROMIUM_PATH', () => {
  const find = (path: string) =>
    runNode([join(ROOT, 'scripts', 'chromium.mjs')], {
      env: { ...process.env, CHROMIUM_PATH: path },
    })

  it('decides alone', async () => {
    const fake = join(folder, 'my chromium')
    await writeFile(fake, '#!/bin/sh\necho Chromium 1.2\n')
    await chmod(fake, 0o755)
    expect(await find(fake)).toEqual({ code: 0, output: `${fake}\n` })
  })

  it('is refused in one line when it is no browser', async () => {
    const { code, output } = await find('/nowhere/chromium')
    expect(code).toBe(1)
    expect(output).toBe('CHROMIUM_PATH is /nowhere/chromium, which is no browser that starts.\n')
  })
})
