import { describe, expect, it } from 'vitest'
import { auditChanges } from './audit.ts'

describe('the recorded changes', () => {
  it('are the fields that differ, with their values', () => {
    const before = { max_offers: 10, price: 5, features: ['offers'] }
    const after = { max_offers: null, price: 5, features: ['offers', 'analytics'] }
    expect(auditChanges('plan', before, after)).toEqual({
      max_offers: { before: 10, after: null },
      features: { before: ['offers'], after: ['offers', 'analytics'] },
    })
  })

  it('are all fields of what is created or removed', () => {
    expect(auditChanges('category', undefined, { name: 'Creme' })).toEqual({
      name: { before: null, after: 'Creme' },
    })
    expect(auditChanges('category', { name: 'Creme' }, undefined)).toEqual({
      name: { before: 'Creme', after: null },
    })
  })

  it.each([
    'password',
    'password_hash',
    'airtable_token',
    'apiSecret',
    'email',
    'phone',
    'whatsapp',
    'Phone Number',
    'address',
    'Indirizzo',
    'name',
    'display_name',
    'Cliente',
    'user_name',
    'note',
    'text',
  ])('of %s are without their values', (field) => {
    const changes = auditChanges('pharmacy', { [field]: 'vecchio' }, { [field]: 'nuovo' })
    expect(changes).toEqual({ [field]: null })
  })

  it('of long values are without them', () => {
    const changes = auditChanges('offer', { Descrizione: 'a' }, { Descrizione: 'a'.repeat(400) })
    expect(changes).toEqual({ Descrizione: null })
  })
})
