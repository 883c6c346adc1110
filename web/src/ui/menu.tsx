import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from 'react'
import { cn } from './class-names.ts'
import { type MenuState, useMenuState } from './use-menu-state.ts'

type MenuProps = {
  /** Content of the button. */
  label: ReactNode
  buttonClassName: string
  /** Open the menu also when the mouse rests on it. Off where menus are stacked in a list. */
  onHover?: boolean
  /** `MenuItem` elements. */
  children: ReactNode
}

/**
 * A menu button. Opens on click, by the keyboard and, for a mouse, on hover. On hover the focus stays where it is,
 * and the menu closes when the mouse leaves; a click keeps it open.
 */
export function Menu({ label, buttonClassName, onHover = true, children }: MenuProps) {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const menu = useMenuState({ root, button, list })
  const hover = useHoverIntent({ onEnter: () => menu.show('hover'), onLeave: menu.leave })
  const keys = useMenuKeys({ list, menu })

  return (
    <div ref={root} className="relative min-w-0" {...(onHover ? hover : {})}>
      <button
        ref={button}
        id={`${id}-button`}
        type="button"
        aria-haspopup="menu"
        aria-expanded={menu.open}
        aria-controls={menu.open ? `${id}-menu` : undefined}
        className={buttonClassName}
        onClick={menu.press}
        onKeyDown={keys}
      >
        {label}
      </button>
      {menu.open ? (
        <div
          ref={list}
          id={`${id}-menu`}
          role="menu"
          aria-labelledby={`${id}-button`}
          tabIndex={-1}
          onClick={menu.hide}
          onKeyDown={keys}
          className={cn(
            'absolute top-full right-0 z-40 mt-1.5 max-w-[calc(100vw-1.5rem)] min-w-56 animate-menu-in rounded-card',
            'border border-line bg-surface text-sm shadow-float outline-none',
            // Covers the gap between button and list, so that moving the mouse across it does not leave the menu.
            'before:absolute before:inset-x-0 before:-top-2 before:h-2',
          )}
        >
          {/* A long menu scrolls in a low window: its last item is 'Logout'. */}
          <div className="max-h-[calc(100dvh-5rem)] overflow-y-auto overscroll-contain p-1.5">
            {children}
          </div>
        </div>
      ) : null}
    </div>
  )
}

/** Classes of a menu item, also for links. */
export function menuItemStyle(tone: 'plain' | 'danger' = 'plain'): string {
  return cn(
    'flex min-h-11 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left font-medium outline-none',
    'md:min-h-9 pointer-coarse:min-h-11 aria-disabled:font-normal aria-disabled:text-muted [&_svg]:size-4 [&_svg]:shrink-0',
    tone === 'danger'
      ? 'text-danger hover:bg-danger-soft focus-visible:bg-danger-soft focus:bg-danger-soft'
      : 'not-aria-disabled:hover:bg-sunken focus:bg-sunken',
  )
}

type MenuItemProps = {
  tone?: 'plain' | 'danger'
  disabled?: boolean
  onSelect?: () => void
  children: ReactNode
}

export function MenuItem({ tone, disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      className={menuItemStyle(tone)}
      onClick={(event) => (disabled ? event.stopPropagation() : onSelect?.())}
    >
      {children}
    </button>
  )
}

export function MenuSeparator() {
  return <hr className="mx-1 my-1.5 border-line" />
}

const HOVER_DELAY_MS = 100

type HoverIntent = { onEnter: () => void; onLeave: () => void }

/**
 * Handlers that act 100 ms after a mouse has moved onto an element, or has left it. They do not act when an element
 * appears under a mouse that rests, as when a sheet above it is closed.
 */
function useHoverIntent({ onEnter, onLeave }: HoverIntent) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isInside = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  function after(event: PointerEvent, action: () => void) {
    if (event.pointerType !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = setTimeout(action, HOVER_DELAY_MS)
  }
  return {
    onPointerMove(event: PointerEvent) {
      if (isInside.current || !(event.movementX || event.movementY)) return
      isInside.current = true
      after(event, onEnter)
    },
    onPointerLeave(event: PointerEvent) {
      isInside.current = false
      after(event, onLeave)
    },
  }
}

type Edge = 'first' | 'last'

function entries(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled])') ?? [])]
}

function focusEdge(list: HTMLElement | null, edge: Edge) {
  entries(list)
    .at(edge === 'first' ? 0 : -1)
    ?.focus()
}

/** Keyboard support of a menu button: arrows, Home, End, Escape, Tab, and the first letter of an item. */
function useMenuKeys({ list, menu }: { list: RefObject<HTMLElement | null>; menu: MenuState }) {
  // The item to focus once the list opened by a key is rendered.
  const edge = useRef<Edge | null>(null)
  useEffect(() => {
    if (menu.open && edge.current !== null) focusEdge(list.current, edge.current)
    edge.current = null
  }, [menu.open, list])

  function move(step: 1 | -1) {
    const all = entries(list.current)
    const at = all.findIndex((entry) => entry === document.activeElement)
    const next = at === -1 ? (step === 1 ? 0 : -1) : (at + step) % all.length
    all.at(next)?.focus()
  }

  function onArrow(step: 1 | -1) {
    if (menu.open) return move(step)
    edge.current = step === 1 ? 'first' : 'last'
    menu.show('keys')
  }

  return (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') onArrow(key === 'ArrowDown' ? 1 : -1)
    else if (!menu.open) return
    else if (key === 'Escape') menu.hide()
    else if (key === 'Home' || key === 'End')
      focusEdge(list.current, key === 'Home' ? 'first' : 'last')
    else if (key === 'Tab') return menu.hide()
    else if (/^\p{L}$/u.test(key)) {
      const letter = key.toLowerCase()
      entries(list.current)
        .find((entry) => entry.textContent.trim().toLowerCase().startsWith(letter))
        ?.focus()
    } else return
    event.preventDefault()
  }
}
