import { expect, it } from 'vitest'
import { orderLines } from './order-lines.ts'
import { type OrderedProduct, orderMessage } from './whatsapp-order.ts'

const texts = (text: string) => orderLines(text).map((line) => line.text)

it.each<[string, string, string[]]>([
  ['lines', 'Tachipirina 1000\nGarze 10x10', ['Tachipirina 1000', 'Garze 10x10']],
  ['no text', ' \n\r\n', []],
  ['one line', 'Oki, Garze e Cerotti', ['Oki, Garze e Cerotti']],
  ['ends of lines of every system', 'A1\r\nB2\rC3\n', ['A1', 'B2', 'C3']],
  ['bullets and spaces', '- Oki\n\t• Garze \u00a0\n\n*Cerotti*', ['- Oki', '• Garze', '*Cerotti*']],
  ['pictures', '💊 Oki\n🙏🙏\n———\n1️⃣ Garze', ['💊 Oki', '1️⃣ Garze']],
  ['numbers of products', '2\n041234567\nA041234567', ['041234567', 'A041234567']],
  ['a heading', 'Buongiorno, vorrei:\nOki\nGarze', ['Oki', 'Garze']],
  ['greetings', 'Buongiorno dottoressa,\nOki\nGarze\nGrazie mille 🙏!', ['Oki', 'Garze']],
  [
    'a greeting with a product',
    'Ciao Oki\nGrazie, anche garze',
    ['Ciao Oki', 'Grazie, anche garze'],
  ],
  [
    'codes of prescriptions',
    'Oki\n1300A4000000248\nNRE 1300A 4000000248\n*1300A* *4000000248*\nRSSMRA79B11C566R\ncf: rssmra79b11c566r',
    ['Oki'],
  ],
  [
    'codes beside a product',
    'Oki 1300A4000000248\nRicetta per Augmentin',
    ['Oki 1300A4000000248', 'Ricetta per Augmentin'],
  ],
])('finds the lines in %s', (_what, text, found) => {
  expect(texts(text)).toEqual(found)
})

it('says the place of each among all lines', () => {
  expect(orderLines('Vorrei:\r\n\r\nOki\nOki').map(({ place }) => place)).toEqual([2, 3])
})

it('finds the products in the message of the public page', () => {
  const product: OrderedProduct = {
    name: 'Crema mani',
    cents: 990,
    quantity: 2,
    equivalent: true,
    discounted: true,
    medicine: false,
  }
  const medicine = { ...product, name: 'Oki', medicine: true, discounted: false }
  const prescription = { nre: '1300A4000000248', taxCode: 'RSSMRA79B11C566R' }
  expect(texts(orderMessage([product], 'ABC234', prescription))).toEqual(['Prodotto: Crema mani'])
  expect(texts(orderMessage([product, medicine], 'ABC234', prescription))).toEqual([
    '1) Crema mani',
    '2) Oki',
  ])
})

it('takes no longer for a long text', () => {
  expect(
    orderLines(`${'grazie '.repeat(3_000)}oki\n${'1300A4000000248'.repeat(1_000)}x`),
  ).toHaveLength(2)
})
