import { describe, expect, it } from 'vitest'
import type { AssistantReply } from '../../ports/product-assistant.ts'
import { readReply } from './ai-webhook.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const FIELDS = { Descrizione: 'Una crema', Prezzo: '€ 9,90', Minsan: '012745093' }
const ALL: AssistantReply = { description: 'Una crema', price: '€ 9,90', minsan: '012745093' }
const json = JSON.stringify(FIELDS)

function read(body: unknown, contentType: string | undefined = JSON_TYPE) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readReply(contentType, Buffer.from(text))
}

const described = (description: string) => ({ description, price: null, minsan: null })

describe('an answer of the workflow', () => {
  it.each<[string, unknown]>([
    ['fields', FIELDS],
    ['fields in a list of one', [FIELDS]],
    ['an output of JSON', { output: json }],
    ['an output of JSON in a list of one', [{ output: json }]],
    ['an output of JSON in a list, in a list', [{ output: JSON.stringify([FIELDS]) }]],
    ['an output that is an object', { output: FIELDS }],
    ['an output of JSON between fences', { output: `\`\`\`json\n${json}\n\`\`\`` }],
    ['an output with words around it', { output: `Ecco:\n\`\`\`\n${json}\n\`\`\`\nCiao` }],
    ['a text of JSON', JSON.stringify(json)],
    ['names in other cases', { descrizione: 'Una crema', PREZZO: '€ 9,90', minsan: '012745093' }],
    ['spaces around', { Descrizione: ' Una crema\n', Prezzo: ' € 9,90', Minsan: '012745093 ' }],
    ['a mark of its encoding', `\ufeff${json}`],
  ])('is read: %s', (_what, body) => {
    expect(read(body)).toEqual(ALL)
  })

  it.each<[string, unknown]>([
    ['an output', { output: 'Una crema.\nPer le mani.' }],
    ['an output that is quoted', { output: '"Una crema.\\nPer le mani."' }],
    ['a list with an output', [{ output: 'Una crema.\nPer le mani.' }]],
    ['a text', JSON.stringify('Una crema.\nPer le mani.')],
  ])('is a description when it is words: %s', (_what, body) => {
    expect(read(body)).toEqual(described('Una crema.\nPer le mani.'))
  })

  it('is a description when it is words in plain text', () => {
    expect(read('Una crema', 'text/plain; charset=utf-8')).toEqual(described('Una crema'))
    expect(read('**Una crema**', 'text/markdown')).toEqual(described('**Una crema**'))
  })

  it('is JSON also when it says that it is plain text', () => {
    expect(read(json, 'text/plain')).toEqual(ALL)
    expect(readReply(undefined, Buffer.from(json))).toEqual(ALL)
  })

  it('has numbers as they are written in Italy', () => {
    const reply = { Prezzo: 1.234, Minsan: 12745093 }
    expect(read(reply)).toEqual({ description: null, price: '1,234', minsan: '12745093' })
    expect(read({ Prezzo: 9.9 })?.price).toBe('9,9')
  })

  it('says nothing where it has nothing that could be said', () => {
    const reply = { Descrizione: 'Una crema', Prezzo: '', Minsan: null }
    expect(read(reply)).toEqual(described('Una crema'))
    expect(read({ ...reply, Prezzo: { valore: 9 }, Minsan: [1] })).toEqual(described('Una crema'))
  })

  it.each<[string, unknown, string?]>([
    ['nothing', ''],
    ['nothing in plain text', ' \n', 'text/plain'],
    ['broken JSON', '{"Descrizione": "una cre'],
    ['broken JSON in plain text', '{"Descrizione": "una cre', 'text/plain'],
    ['broken JSON in an output', { output: '{"Descrizione": "una cre' }],
    ['broken JSON between fences', { output: '```json\n{"Descrizione": "una cre' }],
    ['words that say they are JSON', 'Una crema'],
    ['a page', '<html><body>Errore</body></html>', 'text/html'],
    ['other fields', { message: 'Workflow was started' }],
    ['fields without anything', { Descrizione: '', Prezzo: null, Minsan: '' }],
    ['an output of something else', { output: '{"message":"ok"}' }],
    ['an output in an output', { output: JSON.stringify({ output: json }) }],
    ['an output of nothing', { output: '' }],
    ['a list of nothing', []],
    ['a list of two', [FIELDS, FIELDS]],
    ['null', 'null'],
    ['a number', '42'],
    ['lists in lists', '['.repeat(100_000)],
  ])('is none: %s', (_what, body, contentType) => {
    expect(read(body, contentType)).toBeUndefined()
  })

  it('is none when it is not UTF-8', () => {
    expect(readReply('text/plain', Buffer.from('perch\u00e9', 'latin1'))).toBeUndefined()
  })

  it.each(['```'.repeat(80_000), `\`\`\`${' '.repeat(250_000)}`, `${'`'.repeat(250_000)}x`])(
    'that was made to take long does not',
    (output) => {
      // A parser with quadratic time would exceed the test's time limit.
      expect(read({ output })).toBeUndefined()
    },
  )
})
