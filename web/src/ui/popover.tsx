import { type ReactNode, useId, useRef } from 'react'
import { cn } from './class-names.ts'
import { useMenuState } from './use-menu-state.ts'

type PopoverProps = {
  /** Accessible name of the panel. */
  title: string
  /** Content of the button. */
  label: ReactNode
  buttonClassName: string
  panelClassName?: string
  /** Content of the panel. `close` closes it and returns the focus to the button. */
  children: (close: () => void) => ReactNode
}

/** A button with a panel of controls below it. The panel closes when the focus or a click goes elsewhere. */
export function Popover({ title, label, buttonClassName, panelClassName, children }: PopoverProps) {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { open, press, hide } = useMenuState({ root, button, list })
  return (
    // Keys and focus belong to the elements inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={root}
      className="relative min-w-0"
      onKeyDown={(event) => {
        if (!open || event.key !== 'Escape') return
        event.stopPropagation()
        hide()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (open && relatedTarget && !currentTarget.contains(relatedTarget)) hide()
      }}
    >
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? `${id}-panel` : undefined}
        className={buttonClassName}
        onClick={press}
      >
        {label}
      </button>
      {open ? (
        <div
          ref={list}
          id={`${id}-panel`}
          role="dialog"
          aria-label={title}
          tabIndex={-1}
          className={cn(
            'absolute top-full right-0 z-40 mt-1.5 max-w-[calc(100vw-1.5rem)] animate-menu-in rounded-card',
            'border border-line bg-surface text-sm shadow-float outline-none',
            panelClassName,
          )}
        >
          {children(hide)}
        </div>
      ) : null}
    </div>
  )
}
