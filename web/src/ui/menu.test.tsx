import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Menu, MenuItem } from './menu.tsx'

/** An event of a mouse over the menu. @param by how far it has moved, in pixels */
function mouse(type: string, by: number) {
  const event = new MouseEvent(type, { bubbles: true })
  fireEvent(
    screen.getByRole('button'),
    Object.assign(event, { pointerType: 'mouse', movementX: by }),
  )
  act(() => void vi.advanceTimersByTime(1_000))
}

test('a mouse that moves on a menu opens it; a menu that appears under a mouse stays closed', () => {
  vi.useFakeTimers()
  render(
    <Menu label="Farmacia" buttonClassName="">
      <MenuItem>Logout</MenuItem>
    </Menu>,
  )
  // Browsers send these when what was above the menu has gone.
  mouse('pointerover', 0)
  mouse('pointermove', 0)
  expect(screen.queryByRole('menu')).toBeNull()
  mouse('pointermove', 1)
  expect(screen.getByRole('menu')).toBeDefined()
  // The first press keeps it open; closed by the second, it stays closed while the mouse is on it.
  fireEvent.click(screen.getByRole('button'))
  fireEvent.click(screen.getByRole('button'))
  mouse('pointermove', 1)
  expect(screen.queryByRole('menu')).toBeNull()
})
