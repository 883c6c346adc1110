import { type ComponentType, lazy, type ReactNode } from 'react'
import { useDocumentTitle } from '../lib/use-document-title.ts'

/** Content under a title of the document. */
export function Titled({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title)
  return children
}

/** A page whose code is loaded when it is opened, under its title. */
export function page<Props extends object = object>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazy(async () => ({ default: await load() }))
  return function Page(props) {
    return (
      <Titled title={title}>
        <Loaded {...props} />
      </Titled>
    )
  }
}
