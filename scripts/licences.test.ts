import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { ROOT } from './command.mjs'

/**
 * Licences that allow what is done with the packages: they are installed beside the server or bundled with it, and none of
 * their sources is changed. LGPL is for libvips, which is a separate library that users can replace.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
])

/** Packages whose manifest names no licence in the usual form, with what their licence file says. */
const OLD_MANIFESTS: Record<string, string> = { busboy: 'MIT', only: 'MIT', streamsearch: 'MIT' }

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      license: z.string().optional(),
      optional: z.boolean().optional(),
    }),
  ),
})

it('every package that is delivered has a licence that allows it', () => {
  const lockfile = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const { packages } = Lockfile.parse(JSON.parse(lockfile))
  const refused = Object.entries(packages).flatMap(([path, { dev, license, optional }]) => {
    const [, name] = /.*node_modules\/(.+)$/.exec(path) ?? []
    if (!name || name.startsWith('@bancone/') || dev) return []
    // A part for another platform, of whose manifest the lockfile has no copy, has the licence of its package.
    if (license === undefined && optional) return []
    const found = license ?? OLD_MANIFESTS[name] ?? 'none'
    const parts = found.replaceAll(/[()]/g, '').split(/ AND | OR /)
    return parts.every((part) => ALLOWED.has(part)) ? [] : [`${name}: ${found}`]
  })
  expect(refused).toEqual([])
})
