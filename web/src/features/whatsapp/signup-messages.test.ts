import { expect, test } from 'vitest'
import { isOfMeta, readSignupMessage } from './signup-messages.ts'

const META = 'https://www.facebook.com'
const ids = { waba_id: '100', phone_number_id: '200', business_id: '7' }
const message = (event: string, data: unknown) => ({ type: 'WA_EMBEDDED_SIGNUP', event, data })

test.each([
  ['https://facebook.com', true],
  ['https://www.facebook.com', true],
  ['https://business.facebook.com', true],
  ['https://evilfacebook.com', false],
  ['http://facebook.com', false],
  ['http://www.facebook.com', false],
  ['https://facebook.com.evil.it', false],
  ['https://facebook.community', false],
  ['http://127.0.0.1:5000', false],
  ['null', false],
  ['', false],
])('a message from %j is of Meta: %s', (origin, expected) => {
  expect(isOfMeta(origin, null)).toBe(expected)
  const read = readSignupMessage({ origin, data: message('FINISH', ids) }, null)
  expect(read !== null).toBe(expected)
})

test('with a stand-in only its messages count', () => {
  expect(isOfMeta('http://127.0.0.1:5000', 'http://127.0.0.1:5000')).toBe(true)
  expect(isOfMeta('http://127.0.0.1:5001', 'http://127.0.0.1:5000')).toBe(false)
  expect(isOfMeta(META, 'http://127.0.0.1:5000')).toBe(false)
})

const chosen = { kind: 'finished', ids: { wabaId: '100', phoneNumberId: '200' } }
test.each([
  ['an object', message('FINISH', ids), chosen],
  ['a text', JSON.stringify(message('FINISH', ids)), chosen],
  [
    'no number',
    message('FINISH_ONLY_WABA', { waba_id: '100' }),
    { kind: 'finished', ids: { wabaId: '100' } },
  ],
  [
    'the number first, as version 5',
    message('FINISH', { phone_number_id: '200', business_id: '7', primary_waac_ids: ['8100'] }),
    { kind: 'finished', ids: { phoneNumberId: '200' } },
  ],
  [
    'lists of ids',
    message('FINISH', { waba_ids: ['100', '101'], phone_number_ids: [200] }),
    chosen,
  ],
  ['odd ids', message('FINISH', { waba_id: '<script>' }), { kind: 'finished', ids: {} }],
  [
    'a step',
    message('CANCEL', { current_step: 'PERMISSIONS' }),
    { kind: 'cancelled', step: 'PERMISSIONS' },
  ],
  ['no step', message('CANCEL', {}), { kind: 'cancelled', step: null }],
  ['an error', message('CANCEL', { error_message: 'Oh', error_code: '5' }), { kind: 'reported' }],
  ['an older error', message('ERROR', null), { kind: 'reported' }],
  ['another event', message('PROGRESS', {}), null],
  ['another type', { type: 'other', event: 'FINISH', data: ids }, null],
  ['broken JSON', '{"type":', null],
  ['nothing', null, null],
])('a message with %s', (_what, data, expected) => {
  expect(readSignupMessage({ origin: META, data }, null)).toEqual(expected)
})
