import unittest

from listing import select

ENTRIES = [{"id": f"id-{number}", "year": number % 7} for number in range(120)]


def ask(**query):
    return select(ENTRIES, query, "/api/things", ["id", "createdAt", "year"])


class ListingTest(unittest.TestCase):
    def test_a_page_has_50_entries_and_links_to_others(self):
        found, headers = ask(sort="-year")
        self.assertEqual((len(found), found[0]["year"], headers["x-total-count"]), (50, 6, "120"))
        self.assertEqual(headers["link"], '</api/things?sort=-year&offset=50>; rel="next"')
        self.assertIn('rel="prev"', ask(offset="60", limit="60")[1]["link"])
        self.assertNotIn("link", ask(limit="200")[1])

    def test_entries_are_filtered(self):
        self.assertEqual(ask(id="id-3")[0], [ENTRIES[3]])
        self.assertEqual(len(ask(search="ID-11")[0]), 11)

    def test_an_invalid_parameter_is_an_error(self):
        for query in [{"limit": "ten"}, {"offset": "-1"}, {"sort": "shoe-size"}]:
            with self.assertRaises(ValueError):
                ask(**query)
