import './Details.css';

/** A chunk of its own, with a style sheet of its own. */
export default function Details() {
  return <p className="details">Details of version {__VERSION__}</p>;
}
