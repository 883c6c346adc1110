import type { Response } from '@bancone/contract/endpoint'
import { listOffers } from '@bancone/contract/offers'
import { listProductCategories } from '@bancone/contract/product-categories'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { focused } from '../../../test/focused.ts'
import { offer, offersServer, offersToday } from '../../../test/offers.ts'
import { renderOffers } from '../../../test/render-page.tsx'
import { deferred } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const list = () => screen.queryByRole('heading', { name: 'Le tue offerte' })
const overview = () => document.querySelector('[data-skeleton=overview]')
const form = (name: string) => screen.findByRole('heading', { name })

function server() {
  return offersServer([offer(2), offer(1)]).on(listProductCategories, () => ({ categories: [] }))
}

function open(path = '/offers') {
  return renderOffers(path, server())
}

test('the form opens above the list, is an entry of the history, and gives the focus back', async () => {
  const { user } = open()
  await screen.findByRole('link', { name: 'Prodotto 2' })
  await user.click(screen.getByRole('button', { name: 'Nuova offerta' }))
  await form('Nuova offerta')
  expect(list()).not.toBeNull()
  expect(location.search).toBe('?offerta=nuova')
  history.back()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Nuova offerta' })).toBeNull())
  expect(location.search).toBe('')
  await focused(screen.getByRole('button', { name: 'Nuova offerta' }))
})

test('the name of an offer leads to its form, and closing it back to the name', async () => {
  const { user } = open('/offers?stato=attive')
  await user.click(await screen.findByRole('link', { name: 'Prodotto 1' }))
  await form('Modifica offerta')
  expect(location.search).toBe(`?stato=attive&offerta=${offer(1).id}`)
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await waitFor(() => expect(location.search).toBe('?stato=attive'))
  await focused(screen.getByRole('link', { name: 'Prodotto 1' }))
})

test('on a phone the form stands alone, and leads back to the list', async () => {
  setViewport('narrow')
  const { user } = open()
  await user.click(await screen.findByRole('link', { name: 'Prodotto 1' }))
  await form('Modifica offerta')
  expect(list()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await focused(await screen.findByRole('link', { name: 'Prodotto 1' }))
})

test.each([
  ['above the list that is on its way', 'wide', true],
  ['alone on a phone', 'narrow', false],
] as const)(
  'opened by its address, the form has its place from the first moment: %s',
  async (_where, viewport, withList) => {
    setViewport(viewport)
    const answer = deferred<Response<typeof listOffers>>()
    renderOffers(
      '/offers?offerta=nuova',
      server().on(listOffers, () => answer.promise),
    )
    await screen.findByText('Caricamento del modulo in corso…')
    expect(list() !== null).toBe(withList)
    expect(overview() !== null).toBe(withList)
    answer.resolve({ offers: [], limit: { active: 0, most: 10 }, today: offersToday })
    await form('Nuova offerta')
    expect(screen.queryByText('Caricamento del modulo in corso…')).toBeNull()
    expect(overview()).toBeNull()
  },
)

test('the form of an offer that is not there any more says so', async () => {
  open(`/offers?offerta=${offer(7).id}`)
  expect(await screen.findByText("L'offerta non c'è più.")).toBeDefined()
  await waitFor(() => expect(location.search).toBe(''))
})
