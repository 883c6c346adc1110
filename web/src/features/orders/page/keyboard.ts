import { type OrderPickup, OrderStatus } from '@bancone/contract/orders'

/** The command of a key. */
export type KeyCommand =
  | { kind: 'move'; step: 1 | -1 }
  | { kind: 'status'; status: OrderStatus }
  | { kind: 'pickup'; to: OrderPickup }
  | { kind: 'open' | 'select' | 'search' | 'new' | 'help' | 'undo' }

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing'
>

const letters: Record<string, KeyCommand> = {
  j: { kind: 'move', step: 1 },
  k: { kind: 'move', step: -1 },
  x: { kind: 'select' },
  n: { kind: 'new' },
  u: { kind: 'undo' },
  p: { kind: 'pickup', to: 'ready' },
  r: { kind: 'pickup', to: 'collected' },
}

/** The statuses that have a key, in order: all but 'Annullato', which is chosen deliberately. */
export const KEYED_STATUSES = OrderStatus.options.filter((status) => status !== 'Annullato')

/**
 * By `key`, not by `code`: on an Italian keyboard '/' and '?' need the shift key. Only moving through the list
 * repeats while a key is held down.
 */
export function keyCommand(pressed: Pressed): KeyCommand | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = pressed
  if (ctrlKey || metaKey || altKey || isComposing) return null
  const command = commandOf(key, shiftKey)
  return repeat && command?.kind !== 'move' ? null : command
}

function commandOf(key: string, shifted: boolean): KeyCommand | null {
  if (key === '/') return { kind: 'search' }
  if (key === '?') return { kind: 'help' }
  if (shifted) return null
  if (key === 'Enter') return { kind: 'open' }
  const status = /^[1-9]$/.test(key) ? KEYED_STATUSES[Number(key) - 1] : undefined
  if (status !== undefined) return { kind: 'status', status }
  return letters[key.toLowerCase()] ?? null
}
