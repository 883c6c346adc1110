import { expect, it } from 'vitest'
import { answers, noticeTexts } from './notice-texts.rules.ts'
import { namesProduct } from './order-products.rules.ts'

const values = {
  number: '1',
  pharmacy: 'Farmacia A',
  link: 'https://a.it',
  desk: 'Banco 1',
  moment: 'domani alle 08:30',
}

it('no notice has a word for a medicine, and no template begins or ends with a value', () => {
  const both = [noticeTexts(true), noticeTexts(false)]
  for (const { body, text } of both.flatMap((texts) => Object.values(texts))) {
    for (const message of [body, text(values)]) {
      expect(namesProduct(message, null, [])).toBe(false)
      expect(message).toMatch(/^[^{].*STOP\.$/s)
    }
  }
})

it.each([
  [false, /\b(tu|ti|tua|tuo|tuoi|ciao|apri|premi|vieni|arrivi|rispondi|scrivi)\b/i],
  [true, /\b(Lei|La|Le|Sua|Suo|Suoi|Buongiorno|apra|prema|venga|risponda|scriva)\b/],
])('every text addresses a customer in one way, by tu: %s', (saysTu, other) => {
  const texts = [
    ...Object.values(noticeTexts(saysTu)).flatMap(({ body, text }) => [body, text(values)]),
    ...Object.values(answers(saysTu)).map((answer) => answer('Farmacia A')),
  ]
  for (const text of texts) expect(text).not.toMatch(other)
  // Meta keeps an approved text by its name.
  const names = [noticeTexts(true), noticeTexts(false)].flatMap((forms) =>
    Object.values(forms).map(({ name }) => name),
  )
  expect(new Set(names).size).toBe(12)
})
