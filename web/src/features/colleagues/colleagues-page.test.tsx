import {
  changeColleague,
  inviteColleagueAgain,
  removeColleague,
} from '@bancone/contract/colleagues'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  colleague,
  colleagueServer,
  invitedColleague,
  staffPharmacy,
} from '../../../test/colleagues.ts'
import { FakeChannels } from '../../../test/fake-channel.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const page = '/account/colleagues'
const inviteButton = () => screen.getByRole('button', { name: 'Invita un collega' })
const people = async () =>
  within(await screen.findByRole('list', { name: 'Chi lavora qui' }))
    .getAllByText(/@example/)
    .map((email) => email.parentElement)

test('the menu of the name leads to who works here, what they are and whether they come', async () => {
  const api = colleagueServer([
    colleague(1, { role: 'owner', secondFactor: true }),
    invitedColleague(2),
  ])
  const { user } = renderApp('/', api)
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Colleghi' }))
  await focused(await screen.findByRole('heading', { name: 'Colleghi' }))
  expect(document.title).toBe('Colleghi · Bancone')
  const [own, joined, asked] = await people()
  expect(own?.textContent).toContain('Farmacia San CarloTuTitolareAccount della farmacia')
  expect(joined?.textContent).toContain('Collega 1Titolarecollega1@example.it')
  expect(joined?.textContent).toContain('Ultimo accesso il 05/01/2026 08:30')
  expect(joined?.textContent).toContain('Verifica in due passaggi attiva')
  expect(asked?.textContent).toContain('Collega 2Collaboratore')
  expect(asked?.textContent).toContain('Invito scaduto: inviato il 02/01/2026 09:00')
  expect(asked?.textContent).not.toContain('Verifica in due passaggi')
  const roles = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(roles[0]).toContain('Non gestisce i colleghi')
})

test('one’s own account and that of the pharmacy cannot be changed or removed here', async () => {
  renderApp(page, colleagueServer([colleague(1, { isYou: true, role: 'owner' })]))
  await people()
  expect(screen.queryByRole('button', { name: /^(Modifica|Rimuovi)/ })).toBeNull()
  const links = screen.getAllByRole('link', { name: 'Il tuo account' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/account', '/account'])
})

test('who works alone is told what colleagues are for', async () => {
  renderApp(page, colleagueServer([]))
  expect(await screen.findByText('Non hai ancora invitato nessuno')).toBeDefined()
})

test('with thirty colleagues there is no room for another, and it says so', async () => {
  const all = Array.from({ length: 30 }, (_, n) => colleague(n + 1))
  const { user } = renderApp(page, colleagueServer(all))
  await people()
  expect(inactive(inviteButton())).toBe(true)
  await user.click(inviteButton())
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByText(/Hai 30 colleghi, il massimo/)).toBeDefined()
})

test('a change of role is sent alone, and shows', async () => {
  const api = colleagueServer([colleague(1)])
  const { user } = renderApp(page, api)
  const change = await screen.findByRole('button', { name: 'Modifica Collega 1' })
  await user.click(change)
  const sheet = within(await screen.findByRole('dialog', { name: 'Modifica Collega 1' }))
  await focused(sheet.getByRole('textbox', { name: 'Nome e cognome' }))
  await user.click(sheet.getByRole('radio', { name: 'Titolare' }))
  await user.click(sheet.getByRole('button', { name: 'Salva' }))
  expect(await screen.findByText('Modifiche salvate')).toBeDefined()
  expect(api.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ role: 'owner' })
  const [, changed] = await people()
  expect(changed?.textContent).toContain('Titolare')
  await focused(change)
})

test('a name that a user chose themselves stays, and the field says so', async () => {
  const api = colleagueServer([colleague(1)]).on(changeColleague, () =>
    failure('colleagues.name_is_own'),
  )
  const { user } = renderApp(page, api)
  await user.click(await screen.findByRole('button', { name: 'Modifica Collega 1' }))
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Nome e cognome' })
  await user.clear(name)
  await user.type(name, 'Gigi{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('può cambiarlo solo lei')
  expect(name.getAttribute('aria-invalid')).toBe('true')
  expect(name.value).toBe('Gigi')
  await focused(name)
})

test('without a change nothing is sent; without a name nothing is saved', async () => {
  const api = colleagueServer([colleague(1)])
  const { user } = renderApp(page, api)
  await user.click(await screen.findByRole('button', { name: 'Modifica Collega 1' }))
  const name = await screen.findByRole('textbox', { name: 'Nome e cognome' })
  await user.clear(name)
  await user.click(screen.getByRole('button', { name: 'Salva' }))
  expect(await screen.findByText('Scrivi nome e cognome.')).toBeDefined()
  await user.type(name, 'Collega 1 {Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requests.some(({ method }) => method === 'PATCH')).toBe(false)
})

test('an invitation is sent again', async () => {
  const { user } = renderApp(page, colleagueServer([invitedColleague(1)]))
  const again = await screen.findByRole('button', { name: /^Invia di nuovo l'invito/ })
  await user.click(again)
  expect(await screen.findByText('Invito inviato di nuovo')).toBeDefined()
  expect(await screen.findByText(/^Invitato il /)).toBeDefined()
  await focused(again)
})

test('one that was accepted meanwhile is not; then there is nothing left to send', async () => {
  const others = [invitedColleague(1)]
  const api = colleagueServer(others).on(inviteColleagueAgain, () => {
    others.splice(0, 1, colleague(1))
    return failure('colleagues.not_invited')
  })
  const { user } = renderApp(page, api)
  await user.click(await screen.findByRole('button', { name: /^Invia di nuovo l'invito/ }))
  expect(await screen.findByText("L'invito è già stato accettato.")).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Invia di nuovo/ })).toBeNull())
  await focused(inviteButton())
})

test('a colleague is removed after a question that says what becomes of them', async () => {
  const { user } = renderApp(page, colleagueServer([colleague(1), invitedColleague(2)]))
  const remove = await screen.findByRole('button', { name: 'Rimuovi Collega 1' })
  await user.click(remove)
  const dialog = within(await screen.findByRole('dialog', { name: 'Rimuovere Collega 1?' }))
  expect(dialog.getByText(/Esce subito da tutti i dispositivi/).textContent).toContain(
    "nella cronologia degli ordini e nelle note c'è ancora il suo nome",
  )
  await user.click(dialog.getByRole('button', { name: 'Annulla' }))
  await focused(remove)
  await user.click(remove)
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rimuovi' }),
  )
  expect(await screen.findByText('Collega rimosso')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('collega1@example.it')).toBeNull())
  expect(screen.getByText('collega2@example.it')).toBeDefined()
  await focused(inviteButton())
  await user.click(screen.getByRole('button', { name: 'Rimuovi Collega 2' }))
  expect(await screen.findByText(/Il link che ha ricevuto smette di funzionare/)).toBeDefined()
})

test('who comes, goes or is given another role meanwhile shows at once', async () => {
  const others = [colleague(1)]
  const lines = new FakeChannels()
  renderApp(page, colleagueServer(others), { openChannel: lines.openChannel })
  await people()
  await waitFor(() => expect(lines.opened).toHaveLength(1))
  others.push(colleague(2))
  lines.emit(({ broadcast }) => broadcast('pharmacy', {}))
  expect(await screen.findByText('collega2@example.it')).toBeDefined()
})

test('who is no owner any more is told who can do it', async () => {
  const api = colleagueServer([colleague(1)])
  const { user } = renderApp(page, api)
  await user.click(await screen.findByRole('button', { name: 'Rimuovi Collega 1' }))
  api.on(removeColleague, () => failure('access.owners_only'))
  api.on(getOwnPharmacy, () => staffPharmacy)
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rimuovi' }),
  )
  const heading = await screen.findByRole('heading', {
    name: 'I colleghi li gestiscono i titolari',
  })
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByText('collega1@example.it')).toBeNull()
  expect(document.activeElement?.contains(heading)).toBe(true)
})
