import type { ChangeEvent } from 'react'
import { cn } from '../../../ui/class-names.ts'

type SelectionBoxProps = {
  label: string
  /** Visible label, where the context does not provide one. */
  text?: string
  checked: boolean
  /** Indeterminate: only some of the orders are selected. */
  mixed?: boolean
  className?: string
  /** @param range the shift key was held down */
  onToggle: (range: boolean) => void
}

/** A checkbox with a target size for fingers. */
export function SelectionBox(props: SelectionBoxProps) {
  const { label, text, checked, mixed = false, className, onToggle } = props

  function toggle({ nativeEvent }: ChangeEvent) {
    onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
  }

  return (
    <label
      className={cn(
        'flex shrink-0 cursor-pointer items-center justify-center gap-2 print:hidden',
        text === undefined ? 'size-8 max-lg:size-11 pointer-coarse:size-11' : 'min-h-11 text-sm',
        className,
      )}
    >
      <input
        ref={(box) => {
          if (box) box.indeterminate = mixed
        }}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={toggle}
        // A click with the shift key would also select text.
        onMouseDown={(event) => (event.shiftKey ? event.preventDefault() : undefined)}
        className="size-4 shrink-0 cursor-pointer accent-accent max-lg:size-5 pointer-coarse:size-5"
      />
      {text === undefined ? null : <span aria-hidden>{text}</span>}
    </label>
  )
}
