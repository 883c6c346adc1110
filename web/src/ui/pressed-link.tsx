import { startTransition, useOptimistic } from 'react'
import { Link, type LinkProps } from 'react-router'
import { cn } from './class-names.ts'

/** A link that is dimmed from the press until what it leads to is drawn, which may take a slow device a while. */
export function PressedLink({ className, onClick, ...link }: LinkProps & { className: string }) {
  const [isPressed, press] = useOptimistic(false)
  return (
    <Link
      {...link}
      data-pressed={isPressed || undefined}
      onClick={(event) => {
        onClick?.(event)
        // The navigation, which follows in the same event, is part of the same transition.
        startTransition(() => press(true))
      }}
      className={cn('data-pressed:opacity-55', className)}
    />
  )
}
