import { type ReactNode, useId, useRef } from 'react'
import { cn } from './class-names.ts'
import { useHoverIntent } from './use-hover-intent.ts'
import { useMenuKeys } from './use-menu-keys.ts'
import { useMenuState } from './use-menu-state.ts'

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
  const hover = useHoverIntent({
    open: menu.open,
    onEnter: () => menu.show('hover'),
    onLeave: menu.leave,
  })
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
            'border border-line bg-surface p-1.5 text-sm shadow-float outline-none',
            // Covers the gap between button and list, so that moving the mouse across it does not leave the menu.
            'before:absolute before:inset-x-0 before:-top-2 before:h-2',
          )}
        >
          {children}
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
