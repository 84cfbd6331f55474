/** Attributes that the JSX types lack. */

declare namespace JSX {
  interface HtmlTag {
    /** Where the focus goes when the page is loaded (HTML, section 6.6.7). */
    autofocus?: boolean;
  }
}
