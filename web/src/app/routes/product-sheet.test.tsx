import { draftProduct } from '@bancone/contract/assistant'
import { findProductImage } from '@bancone/contract/product-images'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keptPicture, pictureOf } from '../../../test/fake-pictures.ts'
import { fakeUploads } from '../../../test/fake-uploads.ts'
import { fill } from '../../../test/fill.ts'
import { draft } from '../../../test/product-draft.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderPart, signedIn } from '../../../test/render-part.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'
import { ProductSheet } from './product-draft.tsx'

// A response that comes after the page was left.

const found = { source: 'cache', image: keptPicture(1) } as const

type Found = typeof found | ReturnType<typeof failure>

/** A sheet whose searches are answered when the test says so. */
function open() {
  const answer = deferred<Found>()
  const asked: string[] = []
  const api = serverWith([])
    .on(draftProduct, () => draft)
    .on(findProductImage, ({ body: { minsan } }) => {
      asked.push(minsan)
      return answer.promise
    })
  signedIn(api)
  const uploads = fakeUploads()
  const answers = (reply: Found) => act(async () => answer.resolve(reply))
  return { ...renderPart(<ProductSheet />), uploads, asked, answers }
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const code = () => field('Codice prodotto (Minsan)')
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const shown = () => document.querySelector('img:not([data-preview])')?.getAttribute('src')
const nothingShown = () => {
  expect(shown()).toBeUndefined()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByText(/^Immagine (non )?trovata/)).toBeNull()
}

test.each([
  ['the picture of', found],
  ['the failure of', failure('product_images.failed')],
])('%s a code that was typed over is not shown', async (_what, reply) => {
  const { user, asked, answers } = open()
  fill(code(), '012745093')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(asked).toEqual(['012745093']))
  await user.type(code(), '{Backspace}')
  await answers(reply)
  nothingShown()
})

test('nor one that comes while a picture is sent', async () => {
  const { user, uploads, asked, answers } = open()
  fill(code(), '012745093')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(asked).toHaveLength(1))
  await user.upload(screen.getByLabelText("Carica un'immagine"), pictureOf('jpeg', 'a.jpg'))
  const sent = await uploads.nth(1)
  await answers(found)
  nothingShown()
  await sent.answers(201, JSON.stringify(keptPicture(2)))
  expect(shown()).toBe('/images/a_2/0123/product')
})

test('a picture that is on its way is not for the sheet after', async () => {
  const { user, uploads } = open()
  fill(field('Nome del prodotto'), 'Tachipirina')
  await user.upload(screen.getByLabelText("Carica un'immagine"), pictureOf('jpeg', 'a.jpg'))
  const first = await uploads.nth(1)
  await user.click(button('Svuota'))
  expect(first.aborted).toBe(true)
  await user.upload(screen.getByLabelText("Carica un'immagine"), pictureOf('jpeg', 'b.jpg'))
  const second = await uploads.nth(2)
  // Nor, when the one before is brought back, for that.
  const toast = (await screen.findByText('Scheda svuotata')).closest('li') ?? document.body
  fireEvent.click(within(toast).getByRole('button', { name: 'Annulla' }))
  expect(second.aborted).toBe(true)
  expect(field('Nome del prodotto').value).toBe('Tachipirina')
})
