import { Link } from "react-router-dom";

const About = () => (
  <article className="prose mx-auto p-10">
    <h1>About</h1>
    <p>A garden of tasks.</p>
    <Link to="/">Back</Link>
  </article>
);

export default About;
