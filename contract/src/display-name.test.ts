import { describe, expect, it } from 'vitest'
import { normalizeDisplayName } from './display-name.ts'

describe('the display name of a user', () => {
  it.each([
    ['Anna Rossi', 'Anna Rossi'],
    ['  Anna \t\u00a0\n Rossi\u2028', 'Anna Rossi'],
    ['\u202eissoR annA', 'issoR annA'],
    ['An\u00adna\u200b', 'Anna'],
    ['👩‍⚕️', '👩‍⚕️'],
    ['می‌خواهم', 'می‌خواهم'],
  ])('%j is seen as %j', (name, seen) => {
    expect(normalizeDisplayName(name)).toBe(seen)
  })

  it.each(['', ' ', '\u00a0\n', '\u200b', '\u200d', ' \u200d \ufe0f', '\u2800', '\u3164'])(
    '%j is none',
    (name) => {
      expect(normalizeDisplayName(name)).toBe('')
    },
  )
})
