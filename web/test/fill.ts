import { act, fireEvent, screen } from '@testing-library/react'

/** Enters a text into a field at once, like a paste. */
export function fill(field: HTMLElement, text: string) {
  act(() => field.focus())
  fireEvent.change(field, { target: { value: text } })
}

/** Fills in the login page and sends it. */
export async function signIn(email = 'farmacia@example.it') {
  fill(await screen.findByLabelText('Email'), email)
  fill(screen.getByLabelText('Password'), 'segreta')
  fireEvent.click(screen.getByRole('button', { name: 'Accedi' }))
}
