import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { button, field, formServer, openForm, write } from '../../../../test/offer-form.ts'
import { offer } from '../../../../test/offers.ts'
import { renderApp } from '../../../../test/render-app.tsx'

const crema = offer(1, { Nome_Prodotto: 'Crema mani' })

const closed = () =>
  waitFor(() =>
    expect(screen.queryByRole('region', { name: /^(Nuova|Modifica) offerta$/ })).toBeNull(),
  )

async function openNew(user: UserEvent) {
  await user.click(button('Nuova offerta'))
  await screen.findByRole('textbox', { name: 'Nome del prodotto' })
}

test('a new offer that is closed waits and says so, an empty one does not', async () => {
  const { user } = await openForm(formServer([crema]))
  await user.click(button('Chiudi'))
  await closed()
  await openNew(user)
  expect(field('Nome del prodotto').value).toBe('')
  expect(screen.queryByText('Offerta tenuta da parte')).toBeNull()
  write('Nome del prodotto', 'La mia bozza')
  await user.click(button('Chiudi'))
  await closed()
  expect(await screen.findByText('Non è salvata: la ritrovi con «Nuova offerta».')).toBeDefined()
  await openNew(user)
  expect(field('Nome del prodotto').value).toBe('La mia bozza')
})

test.each([
  ['gone when it was not changed', undefined, ''],
  ['kept when it was changed', 'Crema mani e piedi', 'Crema mani e piedi'],
])('a copy that is closed is %s', async (_what, written, expected) => {
  const { user } = await openForm(formServer([crema]), `/offers?copia=${crema.id}`)
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema mani'))
  if (written) write('Nome del prodotto', written)
  await user.click(button('Chiudi'))
  await closed()
  await openNew(user)
  expect(field('Nome del prodotto').value).toBe(expected)
})

test('changes that are left for another page are there when one returns, unless they were given up', async () => {
  const address = `/offers?offerta=${crema.id}`
  const { user } = await openForm(formServer([crema]), address, renderApp)
  const leave = async () => {
    await user.click(screen.getByRole('link', { name: 'Dashboard' }))
    await screen.findByRole('heading', { level: 1, name: 'Ordini' })
  }
  const handleCallback = async (name: string) => {
    await user.click(screen.getByRole('link', { name: 'Offerte' }))
    await user.click(await screen.findByRole('link', { name: 'Crema mani' }))
    await waitFor(() => expect(field('Nome del prodotto').value).toBe(name))
  }
  await leave()
  expect(screen.queryByText('Modifiche tenute da parte')).toBeNull()
  await handleCallback('Crema mani')
  write('Nome del prodotto', 'Crema piedi')
  await leave()
  expect(await screen.findByText('Modifiche tenute da parte')).toBeDefined()
  expect(screen.getByText("Non sono salvate: le ritrovi quando riapri l'offerta.")).toBeDefined()
  await handleCallback('Crema piedi')
  await user.click(button('Annulla'))
  await user.click(await screen.findByRole('button', { name: 'Lascia senza salvare' }))
  await closed()
  await user.click(screen.getByRole('link', { name: 'Crema mani' }))
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema mani'))
})
