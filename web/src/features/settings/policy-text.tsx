import { Markdown, type MarkdownToJSX } from 'markdown-to-jsx'
import { createElement } from 'react'

const withoutId = { id: undefined }

/** HTML in the text is shown as text, so that what an administrator pastes cannot run in the pages of others. */
const options: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: {
    // Images would be loaded from other sites, which then know who reads the page.
    img: () => null,
    // The page has its own `h1`. Without ids, because several versions are shown on one page.
    h1: { component: 'h2', props: withoutId },
    h2: { props: withoutId },
    h3: { props: withoutId },
  },
  // The library's own elements are React's alone, and pages for customers are drawn by Preact.
  createElement,
  wrapper: null,
}

/** The privacy policy, written in Markdown. */
export function PolicyText({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-3 leading-relaxed wrap-anywhere [&_a]:font-medium [&_a]:text-accent [&_a]:underline [&_a]:underline-offset-4 [&_h2]:mt-6 [&_h2]:text-lg [&_h2]:font-medium [&_h2]:tracking-tight [&_h3]:mt-3 [&_h3]:font-medium [&_li]:my-1.5 [&_ol]:list-decimal [&_ol]:pl-5 [&_strong]:font-medium [&_ul]:list-disc [&_ul]:pl-5 [&_ul]:marker:text-muted">
      <Markdown options={options}>{text}</Markdown>
    </div>
  )
}
