import { expect, onTestFinished, test } from 'vitest'
import { sessionOf, userId } from '../../test/fixtures.ts'
import { storeSession } from '../../test/render-app.tsx'
import { StubApi } from '../../test/stub-api.ts'
import { clearDrafts, readDraft, saveDraft } from './drafts.ts'
import { pharmacySession } from './session.ts'

function enter(user?: string) {
  new StubApi().install()
  storeSession('pharmacy', sessionOf(user))
  pharmacySession.start()
  onTestFinished(() => pharmacySession.stop())
}

test('what was being written is there again, each under its name', () => {
  enter()
  saveDraft('one', 'prima')
  saveDraft('two', 'seconda')
  saveDraft('one', 'terza')
  expect([readDraft('one'), readDraft('two'), readDraft('three')]).toEqual(['terza', 'seconda', ''])
  saveDraft('two', '')
  expect([readDraft('one'), readDraft('two')]).toEqual(['terza', ''])
})

test('the next account that signs in here cannot read it', () => {
  enter()
  saveDraft('one', 'prima')
  pharmacySession.stop()
  enter('0d8f2c1b-1111-4222-8333-444455556666')
  expect(readDraft('one')).toBe('')
  saveDraft('two', 'sua')
  expect(sessionStorage.getItem('bancone-drafts')).not.toContain('prima')
})

test('it goes when it is to be forgotten, and nothing is kept without a session', () => {
  enter()
  saveDraft('one', 'prima')
  clearDrafts('pharmacy')
  expect(readDraft('one')).toBe('')
  localStorage.clear()
  saveDraft('one', 'prima')
  expect(sessionStorage.getItem('bancone-drafts')).toBeNull()
})

test('after a session that ended elsewhere its user finds what holds no data of customers', () => {
  enter()
  onTestFinished(pharmacySession.onUserChange(() => clearDrafts('pharmacy')))
  pharmacySession.setSession(sessionOf())
  for (const name of ['offer', 'order rec1', 'note 1', 'new-order']) saveDraft(name, `text ${name}`)
  pharmacySession.invalidate(pharmacySession.current()?.accessToken ?? '')
  expect(sessionStorage.getItem('bancone-drafts')).not.toMatch(/text (?!offer)/)
  pharmacySession.setSession(sessionOf(userId, { id: 'the next one' }))
  expect(readDraft('offer')).toBe('text offer')
  pharmacySession.setSession(sessionOf('0d8f2c1b-1111-4222-8333-444455556666'))
  expect(sessionStorage.getItem('bancone-drafts')).toBeNull()
})
