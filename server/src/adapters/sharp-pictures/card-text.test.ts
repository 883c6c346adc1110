import { expect, it } from 'vitest'
import { renderableText } from './card-layout.ts'

it.each([
  ['l’olio “è” – 12,90\u00a0€ ½ ™', 'l’olio “è” – 12,90 € ½ ™'],
  ['β-carotene, Ωmega-3, Ždár, Nguyễn', 'β-carotene, Ωmega-3, Ždár, Nguyễn'],
  ['Crema 🎉👨‍👩‍👧 mani', 'Crema mani'],
  ['אספירין نص 漢字 Аспирин', ''],
  ['a\u202eb\u200bc\u0000d\u00ad\n\te', 'abcd e'],
  ['e\u0301', 'é'],
  [' ', ''],
])('%j is drawn as %j', (text, drawn) => {
  expect(renderableText(text)).toBe(drawn)
})

it('is no longer than can be drawn', () => {
  expect(renderableText('W'.repeat(1_000_000)).length).toBe(300)
})
