import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import { square } from './looks.ts'
import { useAlive } from './use-alive.ts'

type ModalProps = {
  /** The id of its title. */
  labelledBy: string
  /** Where one is without it: what closing leads to where there is no JavaScript. */
  below: string
  onClose: () => void
  /** Gives the focus back; called when the dialog has closed. */
  onReturnFocus: () => void
  wide?: boolean
  children: ReactNode
}

/**
 * Something over the page: from below on a phone, in the middle of a larger screen. As the server draws it it is
 * open and nothing more; the browser then keeps the focus inside.
 */
export function Modal(props: ModalProps) {
  const { labelledBy, below, onClose, onReturnFocus, wide = false, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  const returnFocus = useRef(onReturnFocus)
  const alive = useAlive()
  // One that was drawn by the server is there: it must not come once more.
  const [rises] = useState(alive)
  const close = cn(square, 'absolute top-2 right-2 rounded-full bg-surface/85')
  useLayoutEffect(() => {
    returnFocus.current = onReturnFocus
  })

  useLayoutEffect(() => {
    const dialog = ref.current
    // One that is open already cannot become modal.
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
      // A browser may close it without asking.
      onClose={() => (ref.current?.open ? undefined : onClose())}
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
