import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeDownloads } from '../../../test/fake-downloads.ts'
import { focused } from '../../../test/focused.ts'
import { renderPart } from '../../../test/render-part.tsx'
import { PublicPagePanel } from './public-page-panel.tsx'

const URL = 'http://localhost:3000/offers/PHARM-0001'
const pharmacy = { pharmacyCode: 'PHARM-0001', name: 'Farmacia San Carlo' }

function open(shown = 1) {
  return renderPart(<PublicPagePanel pharmacy={pharmacy} shown={shown} unshown={null} />)
}

test('the link is copied, and the page opens in a tab of its own', async () => {
  const { user } = open()
  expect(screen.getByText('I clienti adesso vedono 1 offerta')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Copia link' }))
  expect(await navigator.clipboard.readText()).toBe(`${URL}?da=link`)
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: /^Apri/ })
  expect([link.href, link.target]).toEqual([URL, '_blank'])
})

test('it is shared where the browser can, and giving it up is no failure', async () => {
  const { unmount } = open()
  expect(screen.queryByRole('button', { name: 'Condividi' })).toBeNull()
  unmount()
  const share = vi
    .fn<typeof navigator.share>()
    .mockRejectedValueOnce(new DOMException('no', 'AbortError'))
  Object.defineProperty(navigator, 'share', { configurable: true, value: share })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
  const { user } = open()
  await user.click(screen.getByRole('button', { name: 'Condividi' }))
  expect(share).toHaveBeenCalledWith({
    title: 'Offerte di Farmacia San Carlo',
    url: `${URL}?da=link`,
  })
  expect(screen.queryByText(/Condivisione non riuscita/)).toBeNull()
  share.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
  await user.click(screen.getByRole('button', { name: 'Condividi' }))
  expect(await screen.findByText(/Condivisione non riuscita/)).toBeDefined()
})

test('the QR code is shown, saved as a drawing, and printed alone', async () => {
  const browser = fakeDownloads()
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  const { user } = open()
  const opener = screen.getByRole('button', { name: 'QR code' })
  await user.click(opener)
  const dialog = within(
    await screen.findByRole('dialog', { name: 'QR code della pagina pubblica' }),
  )
  expect(dialog.getByRole('img', { name: `QR code: ${URL}` })).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Stampa' }))
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
  const sheet = document.querySelector('[data-print-alone]')
  expect(sheet?.textContent).toContain('Farmacia San Carlo')
  expect(sheet?.textContent).toContain(URL)
  expect(sheet?.textContent).not.toContain('?da=')
  window.dispatchEvent(new Event('afterprint'))
  await waitFor(() => expect(document.querySelector('[data-print-alone]')).toBeNull())
  await user.click(dialog.getByRole('button', { name: 'Scarica SVG' }))
  await waitFor(() => expect(browser.saved.map(({ name }) => name)).toEqual(['qr-offerte.svg']))
  expect(browser.saved[0]?.text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<path/)
  await user.click(dialog.getByRole('button', { name: 'Chiudi' }))
  await focused(opener)
})
