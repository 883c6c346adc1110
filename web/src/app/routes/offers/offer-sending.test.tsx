import { createOffer, type OfferRecord } from '@bancone/contract/offers'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { inactive } from '../../../../test/inactive.ts'
import { button, fillIn, formServer, openForm, sent, write } from '../../../../test/offer-form.ts'
import { offer } from '../../../../test/offers.ts'
import { failure, rawReply, type StubApi } from '../../../../test/stub-api.ts'

const made = offer(1, { Nome_Prodotto: 'Crema viso' })

/** Makes the offer, and says nothing of it the first time. */
function losingServer(): StubApi {
  const held: OfferRecord[] = []
  return formServer(held).on(createOffer, ({ body: { id = '' } }) => {
    const before = held.find((each) => each.id === id)
    if (before) return before
    held.push({ ...made, id })
    return rawReply('bad gateway', 502)
  })
}

function sentIds(api: StubApi): string[] {
  return sent(api, 'POST').map((body) => z.object({ id: z.uuid() }).parse(body).id)
}

test('an offer whose answer was lost is sent again as the same, with what the form holds by now', async () => {
  const { user, api } = await openForm(losingServer())
  fillIn()
  await user.click(button('Crea offerta'))
  await screen.findByText("Impossibile salvare l'offerta. Riprova più tardi.")
  write('Nome del prodotto', 'Crema viso e collo')
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  const [first, second, ...others] = sentIds(api)
  expect([second, others]).toEqual([first, []])
  const changes = api.requests.filter(({ method }) => method === 'PATCH')
  expect(changes).toMatchObject([
    { path: `/api/offers/${first}`, body: { fields: { Nome_Prodotto: 'Crema viso e collo' } } },
  ])
})

test('also after a reload', async () => {
  const api = losingServer()
  const { user, unmount } = await openForm(api)
  fillIn()
  await user.click(button('Crea offerta'))
  await screen.findByText("Impossibile salvare l'offerta. Riprova più tardi.")
  unmount()
  const again = await openForm(api)
  await again.user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  const [first, second] = sentIds(api)
  expect(second).toBe(first)
})

test('the next one is another', async () => {
  const { user, api } = await openForm(formServer())
  fillIn()
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  fillIn()
  await user.click(button('Crea offerta'))
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Crema viso' })).toHaveLength(2))
  expect(new Set(sentIds(api)).size).toBe(2)
  expect(api.requests.filter(({ method }) => method === 'PATCH')).toEqual([])
})

test('so is the one after a refusal', async () => {
  const api = formServer().on(createOffer, () => failure('offers.limit_reached'))
  const { user } = await openForm(api)
  fillIn()
  await user.click(button('Crea offerta'))
  api.on(createOffer, () => made)
  await user.click(await screen.findByRole('button', { name: 'Salva come inattiva' }))
  await screen.findByText('Offerta creata')
  expect(new Set(sentIds(api)).size).toBe(2)
})

test('a refusal says nothing of the one that was sent before, which may be there', async () => {
  const held: OfferRecord[] = []
  const api = formServer(held).on(createOffer, ({ body: { id = '' } }) => {
    const [before] = held
    if (before && sentIds(api).length === 2) return rawReply('too many requests', 429)
    if (before?.id === id) return before
    held.push({ ...made, id })
    return rawReply('bad gateway', 502)
  })
  const { user } = await openForm(api)
  fillIn()
  for (const tries of [1, 2]) {
    await user.click(button('Crea offerta'))
    await waitFor(() => expect(sentIds(api)).toHaveLength(tries))
    await waitFor(() => expect(inactive(button('Crea offerta'))).toBe(false))
  }
  await user.click(button('Crea offerta'))
  await screen.findByText('Offerta creata')
  expect([sentIds(api).length, new Set(sentIds(api)).size, held.length]).toEqual([3, 1, 1])
})
