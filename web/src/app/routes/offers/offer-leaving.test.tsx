import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { button, field, formServer, openForm, write } from '../../../../test/offer-form.ts'
import { offer } from '../../../../test/offers.ts'

const crema = offer(1, { Nome_Prodotto: 'Crema mani' })

const closed = () =>
  waitFor(() =>
    expect(screen.queryByRole('region', { name: /^(Nuova|Modifica) offerta$/ })).toBeNull(),
  )

async function openNew(user: UserEvent) {
  await user.click(button('Nuova offerta'))
  await screen.findByRole('textbox', { name: 'Nome del prodotto' })
}

test('a new offer that is closed waits, and says so', async () => {
  const { user } = await openForm(formServer([crema]))
  await write(user, 'Nome del prodotto', 'La mia bozza')
  await user.click(button('Chiudi'))
  await closed()
  expect(await screen.findByText('Non è salvata: la ritrovi con «Nuova offerta».')).toBeDefined()
  await openNew(user)
  expect(field('Nome del prodotto').value).toBe('La mia bozza')
  await user.click(button('Svuota'))
})

test('of an empty one nothing is said', async () => {
  const { user } = await openForm(formServer([crema]))
  await user.click(button('Chiudi'))
  await closed()
  await openNew(user)
  expect(field('Nome del prodotto').value).toBe('')
  expect(screen.queryByText('Offerta tenuta da parte')).toBeNull()
})

test.each(['Chiudi', 'back'])('a copy that nobody touched is gone by %s', async (way) => {
  const { user } = await openForm(formServer([crema]), `/offers?copia=${crema.id}`)
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema mani'))
  if (way === 'back') await user.click(screen.getByRole('link', { name: 'Dashboard' }))
  else await user.click(button('Chiudi'))
  await closed()
  if (way === 'back') await user.click(screen.getByRole('link', { name: 'Offerte' }))
  await user.click(await screen.findByRole('button', { name: 'Nuova offerta' }))
  await screen.findByRole('textbox', { name: 'Nome del prodotto' })
  expect(field('Nome del prodotto').value).toBe('')
})

test('one that somebody worked on waits', async () => {
  const { user } = await openForm(formServer([crema]), `/offers?copia=${crema.id}`)
  await write(user, 'Nome del prodotto', 'Crema mani e piedi')
  await user.click(button('Chiudi'))
  await closed()
  await openNew(user)
  expect(field('Nome del prodotto').value).toBe('Crema mani e piedi')
})

test('changes that are left for another page are there when one returns, and that is said', async () => {
  const { user } = await openForm(formServer([crema]), `/offers?offerta=${crema.id}`)
  await write(user, 'Nome del prodotto', 'Crema piedi')
  await user.click(screen.getByRole('link', { name: 'Dashboard' }))
  expect(await screen.findByText('Modifiche tenute da parte')).toBeDefined()
  expect(screen.getByText("Non sono salvate: le ritrovi quando riapri l'offerta.")).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'Offerte' }))
  await user.click(await screen.findByRole('link', { name: 'Crema mani' }))
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema piedi'))
  await user.click(button('Scarta le modifiche'))
})

test('of changes that were given up, or of none, nothing is said', async () => {
  const { user } = await openForm(formServer([crema]), `/offers?offerta=${crema.id}`)
  await write(user, 'Nome del prodotto', 'Crema piedi')
  await user.click(button('Annulla'))
  await user.click(await screen.findByRole('button', { name: 'Lascia senza salvare' }))
  await closed()
  await user.click(screen.getByRole('link', { name: 'Crema mani' }))
  await waitFor(() => expect(field('Nome del prodotto').value).toBe('Crema mani'))
  await user.click(screen.getByRole('link', { name: 'Dashboard' }))
  await screen.findByRole('heading', { level: 1, name: 'Ordini' })
  expect(screen.queryByText('Modifiche tenute da parte')).toBeNull()
})
