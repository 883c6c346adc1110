import { expect, it } from 'vitest'
import { wellFormedJson, wellFormedText } from './well-formed-text.ts'

const cases: [what: string, text: string, wellFormed: string][] = [
  ['plain text', 'Perché no? 🎉 «sì»', 'Perché no? 🎉 «sì»'],
  ['half an emoji at the end', 'tagliato \ud83d', 'tagliato \ufffd'],
  ['the other half at the start', '\ude00 tagliato', '\ufffd tagliato'],
  ['halves in the wrong order', '\ude00\ud83d', '\ufffd\ufffd'],
  ['an emoji after half an emoji', '\ud83d😀', '\ufffd😀'],
  ['NUL', 'a\0b\0', 'ab'],
  ['escapes that are text', String.raw`\u0000 \\ud83d \" \n`, String.raw`\u0000 \\ud83d \" \n`],
  ['bidirectional controls, which are valid', 'a\u202eb\u2066c', 'a\u202eb\u2066c'],
]

it.each(cases)('%s', (_what, text, wellFormed) => {
  expect(wellFormedText(text)).toBe(wellFormed)
  expect(JSON.parse(wellFormedJson(JSON.stringify({ [text]: [text] })))).toEqual({
    [wellFormed]: [wellFormed],
  })
})

it('reads escapes in any case, and pairs that are escaped', () => {
  const text = String.raw`["\uD83D\uDE00", "\ud83d\ude00", "\uD83D", "\uD83D\u0041", "\u00e8\\\uDE00"]`
  expect(JSON.parse(wellFormedJson(text))).toEqual(['😀', '😀', '\ufffd', '\ufffdA', 'è\\\ufffd'])
})
