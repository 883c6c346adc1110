import {
  changeSubscriptionPlan,
  createSubscriptionPlan,
  listSubscriptionPlans,
  type PlanEffects,
  previewSubscriptionPlan,
  removeSubscriptionPlan,
  type SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { adminServer, openAdministration, plan, sent } from '../../../test/administration.ts'
import { fill } from '../../../test/fill.ts'
import { focused } from '../../../test/focused.ts'
import { failure, rawReply } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const page = '/admin/subscription-plans'

const noEffects: PlanEffects = {
  pharmacies: 3,
  gained: {},
  lost: {},
  limitChanged: 0,
  aboveLimit: [],
  aboveLimitCount: 0,
  deviating: 0,
}

function server(plans: SubscriptionPlan[], effects: Partial<PlanEffects> = {}) {
  return adminServer({ plans })
    .on(createSubscriptionPlan, ({ body }) => {
      plans.push(plan(9, body))
      return { plan: plan(9, body) }
    })
    .on(previewSubscriptionPlan, () => ({ ...noEffects, ...effects }))
    .on(changeSubscriptionPlan, ({ params, body }) => {
      const place = plans.findIndex(({ id }) => id === params.planId)
      const changed = { ...plan(1), ...plans[place], ...body }
      plans[place] = changed
      return { plan: changed }
    })
}

async function openMenu({ user }: ReturnType<typeof openAdministration>, item: string) {
  await user.click(await screen.findByRole('button', { name: /^Azioni:/ }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}

const form = () => within(screen.getByRole('dialog', { name: /piano$/ }))

test('a row says what a plan grants and costs, and the search finds by name and description', async () => {
  const plans = [
    plan(1, { name: 'Base', description: 'Per cominciare', price: 0, pharmacies: 4 }),
    plan(2, { name: 'Premium', max_offers: null, price: 1234.5, features: ['analytics'] }),
  ]
  const { user } = openAdministration(page, server(plans))
  const row = await screen.findByRole('row', { name: /^Premium/ })
  const cells = within(row).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent?.replaceAll('\u{a0}', ' '))).toEqual([
    '',
    'Illimitate',
    '1.234,50 €',
    'Statistiche e Analytics',
    '0',
    'Azioni: Premium',
  ])
  await user.type(screen.getByRole('searchbox', { name: 'Cerca' }), 'COMINCIARE')
  await waitFor(() => expect(screen.queryByRole('row', { name: /^Premium/ })).toBeNull())
  expect(screen.getByRole('row', { name: /^Base/ })).toBeDefined()
  expect(location.search).toBe('?q=COMINCIARE')
  fill(screen.getByRole('searchbox', { name: 'Cerca' }), 'altro')
  expect(await screen.findByText('Nessun piano trovato')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Mostra tutti i piani' }))
  expect(await screen.findByRole('row', { name: /^Premium/ })).toBeDefined()
})

test('a failed list says so, and an empty one leads to the form', async () => {
  setViewport('narrow')
  const api = server([]).on(listSubscriptionPlans, () => rawReply('broken', 500))
  const { user } = openAdministration(page, api)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Errore nel caricamento dei piani di abbonamento',
  )
  api.on(listSubscriptionPlans, () => ({ plans: [] }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  const text = await screen.findByText('Nessun piano di abbonamento')
  const empty = text.parentElement ?? text
  await user.click(within(empty).getByRole('button', { name: 'Nuovo piano' }))
  await focused(form().getByLabelText('Nome'))
})

test('a new plan starts with the defaults, and is refused with a text for each field', async () => {
  const api = server([])
  const { user } = openAdministration(page, api)
  await screen.findByText('Nessun piano di abbonamento')
  const [first] = screen.getAllByRole('button', { name: 'Nuovo piano' })
  if (first) await user.click(first)
  expect(form().getByLabelText('Numero massimo di offerte')).toHaveProperty('value', '25')
  expect(form().getByLabelText('Prezzo (€)')).toHaveProperty('value', '0,00')
  const checked = form()
    .getAllByRole('checkbox', { checked: true })
    .map((box) => box.getAttribute('aria-label'))
  expect(checked).toEqual(['Pagina Offerte', 'Integrazione WhatsApp'])
  fill(form().getByLabelText('Numero massimo di offerte'), '-1')
  fill(form().getByLabelText('Prezzo (€)'), '-0,5')
  await user.click(form().getByRole('button', { name: 'Salva' }))
  expect(await form().findByText('Il nome del piano è obbligatorio')).toBeDefined()
  expect(form().getByText('Il numero massimo di offerte non può essere negativo')).toBeDefined()
  expect(form().getByText('Il prezzo non può essere negativo')).toBeDefined()
  fill(form().getByLabelText('Nome'), ' Base ')
  // A text that is no number counts as 0, and shows as such when the field is left.
  fill(form().getByLabelText('Numero massimo di offerte'), 'molte')
  await user.tab()
  expect(form().getByLabelText('Numero massimo di offerte')).toHaveProperty('value', '0')
  fill(form().getByLabelText('Prezzo (€)'), '9,90')
  await user.click(form().getByRole('checkbox', { name: 'Illimitate' }))
  await user.click(form().getByRole('checkbox', { name: 'Statistiche e Analytics' }))
  await user.click(form().getByRole('button', { name: 'Salva' }))
  expect(await screen.findByText('Piano creato')).toBeDefined()
  expect(sent(api, 'POST').at(-1)?.body).toEqual({
    name: 'Base',
    description: null,
    max_offers: null,
    price: 9.9,
    features: ['offers', 'analytics', 'whatsapp_integration'],
  })
  expect(await screen.findByRole('row', { name: /^Base/ })).toBeDefined()
})

test('before an edit is saved, it says whom it affects; going back saves nothing', async () => {
  const api = server([plan(1, { pharmacies: 12 })], {
    pharmacies: 12,
    gained: { analytics: 11 },
    lost: { whatsapp_integration: 1 },
    limitChanged: 10,
    aboveLimit: [{ id: plan(5).id, name: 'Farmacia Centrale', used: 9 }],
    aboveLimitCount: 3,
    deviating: 1,
  })
  const opened = openAdministration(page, api)
  const { user } = opened
  await openMenu(opened, 'Modifica')
  fill(form().getByLabelText('Numero massimo di offerte'), '5')
  await user.click(form().getByRole('button', { name: 'Salva' }))
  const question = within(
    await screen.findByRole('dialog', { name: 'Che cosa cambia per le farmacie' }),
  )
  expect(question.getByText(/riguarda 12 farmacie/)).toBeDefined()
  const effects = within(question.getByRole('list', { name: 'Effetti' })).getAllByRole('listitem')
  expect(effects.map(({ textContent }) => textContent)).toEqual([
    'In più «Statistiche e Analytics»: 11 farmacie',
    'In meno «Integrazione WhatsApp»: 1 farmacia',
    'Cambia il numero massimo di offerte: 10 farmacie',
  ])
  expect(question.getByText('3 farmacie hanno più offerte attive del nuovo limite')).toBeDefined()
  expect(question.getByText('Farmacia Centrale: 9 attive')).toBeDefined()
  expect(question.getByText(/1 farmacia ha valori propri/)).toBeDefined()
  await user.click(question.getByRole('button', { name: 'Torna al piano' }))
  await focused(await form().findByRole('button', { name: 'Salva' }))
  expect(sent(api, 'PUT')).toEqual([])
  await user.click(form().getByRole('button', { name: 'Salva' }))
  await user.click(await screen.findByRole('button', { name: 'Salva le modifiche' }))
  expect(await screen.findByText('Piano aggiornato')).toBeDefined()
  expect(sent(api, 'PUT')).toMatchObject([{ body: { max_offers: 5 } }])
})

test('an edit that affects no pharmacy is saved at once, and a name that is taken is told at its field', async () => {
  const api = server([plan(1)]).on(changeSubscriptionPlan, () =>
    failure('plans.name_taken', "C'è già un piano con questo nome"),
  )
  const opened = openAdministration(page, api)
  await openMenu(opened, 'Modifica')
  await opened.user.click(form().getByRole('button', { name: 'Salva' }))
  expect(await form().findByText("C'è già un piano con questo nome")).toBeDefined()
  await focused(form().getByLabelText('Nome'))
  api.on(changeSubscriptionPlan, () => failure('service.unavailable'))
  await opened.user.click(form().getByRole('button', { name: 'Salva' }))
  expect(
    await form().findByText(/^Errore durante il salvataggio del piano di abbonamento/),
  ).toBeDefined()
})

test('a plan in use is kept, with the number of its pharmacies; another goes', async () => {
  const plans = [plan(1)]
  const inUse = {
    error: 'plans.in_use',
    code: 'plans.in_use',
    requestId: 'test',
    details: { pharmacies: 7 },
  }
  const api = server(plans).on(removeSubscriptionPlan, () => rawReply(JSON.stringify(inUse), 409))
  const opened = openAdministration(page, api)
  await openMenu(opened, 'Elimina')
  const dialog = within(screen.getByRole('dialog'))
  await opened.user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Impossibile eliminare il piano: è utilizzato da 7 farmacie',
  )
  api.on(removeSubscriptionPlan, () => {
    plans.pop()
    return {}
  })
  await opened.user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect(await screen.findByText('Piano eliminato')).toBeDefined()
  expect(await screen.findByText('Nessun piano di abbonamento')).toBeDefined()
})

test('unsaved changes are kept after Back and Escape, unless they are given up', async () => {
  const app = openAdministration(page, server([plan(1, { name: 'Base' })]))
  const { user } = app
  await openMenu(app, 'Modifica')
  fill(form().getByLabelText('Nome'), 'Nuovo nome')
  history.back()
  await user.click(await screen.findByRole('button', { name: 'Continua a modificare' }))
  await waitFor(() => expect(screen.queryByText('Uscire senza salvare?')).toBeNull())
  expect(form().getByLabelText<HTMLInputElement>('Nome').value).toBe('Nuovo nome')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Esci senza salvare' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(screen.getByRole('button', { name: 'Azioni: Base' }))
})
