import { expect, it } from 'vitest'
import { parseJson } from '../platform/request-bodies.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it.each([
  ['64 levels', nested(64)],
  ['brackets in a string', JSON.stringify('['.repeat(1_000))],
  ['brackets after an escaped quote', JSON.stringify(`"${'{'.repeat(1_000)}`)],
  ['many values beside each other', `[${'[],'.repeat(1_000)}[]]`],
])('%s are parsed', (_what, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

it.each([
  ['65 levels', nested(65)],
  ['brackets that are never closed', '['.repeat(1_000_000)],
  ['65 levels after a string with an escaped quote', `["\\"",${nested(64)}]`],
  ['a key that changes prototypes', '{"__proto__":{"isAdmin":true}}'],
  ['what is not JSON', '{'],
])('%s are refused', (_what, text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})
