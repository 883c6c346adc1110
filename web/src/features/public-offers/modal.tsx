import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import { square } from './styles.ts'
import { useHydrated } from './use-hydrated.ts'

type ModalProps = {
  /** Element id of its title. */
  labelledBy: string
  /** URL without the dialog, to which closing leads without JavaScript. */
  below: string
  onClose: () => void
  /** Returns the focus; called when the dialog has closed. */
  onReturnFocus: () => void
  wide?: boolean
  children: ReactNode
}

/**
 * A dialog: from below on a phone, centred on larger screens. The server renders it open; in the browser it becomes
 * modal, which traps the focus.
 */
export function Modal(props: ModalProps) {
  const { labelledBy, below, onClose, onReturnFocus, wide = false, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  const returnFocus = useRef(onReturnFocus)
  const alive = useHydrated()
  // A server-rendered dialog is visible already, and must not be animated.
  const [rises] = useState(alive)
  const close = cn(square, 'absolute top-2 right-2 rounded-full bg-surface/85')
  useLayoutEffect(() => {
    returnFocus.current = onReturnFocus
  })

  useLayoutEffect(() => {
    const dialog = ref.current
    // An open dialog cannot become modal.
    dialog?.removeAttribute('open')
    dialog?.showModal()
    dialog?.focus({ preventScroll: true })
    return () => {
      dialog?.close()
      returnFocus.current()
    }
  }, [])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a press beside it; keys have Esc
    <dialog
      ref={ref}
      open
      tabIndex={-1}
      aria-labelledby={labelledBy}
      className={cn(
        'modal max-w-none',
        rises && 'modal-rises',
        wide ? 'md:max-w-4xl' : 'md:max-w-xl',
      )}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // The browser may close the dialog without a cancel event. After its removal there is no `current`.
      onClose={() => (ref.current?.open === false ? onClose() : undefined)}
      onClick={(event) => (event.target === ref.current ? onClose() : undefined)}
    >
      <div className="relative flex max-h-[inherit] min-h-0 flex-1 flex-col">
        {children}
        {alive ? (
          <button type="button" aria-label="Chiudi" className={close} onClick={onClose}>
            <X aria-hidden />
          </button>
        ) : (
          <a href={below} aria-label="Chiudi" className={close}>
            <X aria-hidden />
          </a>
        )}
      </div>
    </dialog>
  )
}
