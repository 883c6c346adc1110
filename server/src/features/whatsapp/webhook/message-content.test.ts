import { expect, it } from 'vitest'
import { contentOf } from './webhook-events.ts'

it.each<[string, unknown, string | null]>([
  ['text', { body: 'Ciao' }, 'Ciao'],
  ['text', { body: 7 }, null],
  ['image', { id: '1', caption: 'È questa?' }, 'È questa?'],
  ['document', { id: '2', filename: 'nota.pdf', caption: 'La nota' }, 'nota.pdf\nLa nota'],
  ['audio', { id: '3', voice: true }, null],
  ['location', { latitude: 45.4, longitude: 12.3, name: 'Casa' }, 'Casa\n45.4, 12.3'],
  [
    'contacts',
    [{ name: { formatted_name: 'Mia figlia' }, phones: [{ phone: '+39 333' }, {}] }],
    'Mia figlia +39 333',
  ],
  ['contacts', 'none', null],
  ['button', { text: 'Va bene', payload: 'x' }, 'Va bene'],
  ['interactive', { list_reply: { title: 'Domani', description: 'Alle 9' } }, 'Domani\nAlle 9'],
  ['interactive', { nfm_reply: { body: 'Inviato', response_json: '{"a":1}' } }, 'Inviato\n{"a":1}'],
  ['reaction', { message_id: 'wamid.1', emoji: '👍' }, '👍'],
  ['reaction', { message_id: 'wamid.1' }, null],
  [
    'order',
    {
      text: 'Grazie',
      product_items: [{ product_retailer_id: 'A', quantity: 2, item_price: 9.5, currency: 'EUR' }],
    },
    '2 × A (9.5 EUR)\nGrazie',
  ],
  ['system', { type: 'customer_changed', body: 'Altro numero' }, 'Altro numero'],
  ['edit', { message: { type: 'image', image: { caption: 'Anzi questa' } } }, 'Anzi questa'],
  ['edit', { message: { type: 'edit', edit: null } }, null],
  ['revoke', { original_message_id: 'wamid.1' }, null],
  ['unsupported', undefined, null],
  ['poll_of_2030', { caption: 'Quale?', options: 7 }, 'Quale?'],
])('the words of %s %j are %j', (type, content, text) => {
  const message = { id: 'wamid.2', timestamp: 1, type, [type]: content }
  expect(contentOf(message).text).toBe(text)
})

it('an edit, a deletion and a reaction name their message', () => {
  const about = (type: string, content: object) =>
    contentOf({ id: 'wamid.2', timestamp: 1, type, [type]: content }).about
  expect(about('edit', { original_message_id: 'wamid.1', message: { type: 'text' } })).toBe(
    'wamid.1',
  )
  expect(about('revoke', { original_message_id: 'wamid.1' })).toBe('wamid.1')
  expect(about('reaction', { message_id: 'wamid.1' })).toBe('wamid.1')
})
