import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type RefObject, StrictMode, useRef, useState } from 'react'
import { expect, test } from 'vitest'
import { focused } from '../../test/focused.ts'
import { useFocusFallback } from './use-focus-fallback.ts'

function Place() {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" ref={button} onClick={() => setOpen(!open)}>
        Apri
      </button>
      {open ? <Going focusFallback={button} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

type GoingProps = { focusFallback: RefObject<HTMLElement | null>; onClose: () => void }

function Going({ focusFallback, onClose }: GoingProps) {
  const place = useFocusFallback(focusFallback)
  return (
    <div ref={place}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <input aria-label="Nome" autoFocus onKeyDown={({ key }) => key === 'Enter' && onClose()} />
    </div>
  )
}

// As in development, where every effect ends and begins again at once.
test('the focus goes on when what had it goes, and not before', async () => {
  render(<Place />, { wrapper: StrictMode })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Apri' }))
  await focused(screen.getByRole('textbox', { name: 'Nome' }))
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Nome' }))
  await user.keyboard('{Enter}')
  await focused(screen.getByRole('button', { name: 'Apri' }))
})

test('what had it not, goes without a word', async () => {
  render(<Place />)
  const button = screen.getByRole('button', { name: 'Apri' })
  fireEvent.click(button)
  screen.getByRole('textbox', { name: 'Nome' }).blur()
  fireEvent.click(button)
  expect(screen.queryByRole('textbox')).toBeNull()
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(document.body)
})
