import { describe, expect, test } from "vitest";
import { otherNames, shortNameOf } from "#shared/place-names.ts";

// Written out once more, because a list that is read from the code cannot show that a name has gone.
describe("a place with two names", () => {
  test.each([
    ["ahmedabad", "amdavad"],
    ["allahabad", "prayagraj"],
    ["bangalore", "bengaluru"],
    ["baroda", "vadodara"],
    ["belgaum", "belagavi"],
    ["benares", "varanasi"],
    ["banaras", "varanasi"],
    ["bhubaneswar", "bhubaneshwar"],
    ["bombay", "mumbai"],
    ["calcutta", "kolkata"],
    ["calicut", "kozhikode"],
    ["cochin", "kochi"],
    ["dharwad", "dharwar"],
    ["gurgaon", "gurugram"],
    ["hubli", "hubballi"],
    ["kharagpur", "kgp"],
    ["madras", "chennai"],
    ["mangalore", "mangaluru"],
    ["mysore", "mysuru"],
    ["pondicherry", "puducherry"],
    ["poona", "pune"],
    ["shimoga", "shivamogga"],
    ["trivandrum", "thiruvananthapuram"],
    ["trichur", "thrissur"],
    ["trichy", "tiruchirappalli"],
    ["vizag", "visakhapatnam"],
  ])("%s is found as %s, and the other way round", (one, other) => {
    expect(otherNames(`prints, ${one}`)).toContain(other);
    expect(otherNames(`prints, ${other}`)).toContain(one);
    expect(otherNames(`${one} ${other}`)).not.toContain(other);
    expect(otherNames(`${one}x x${one}`)).toEqual([]);
  });
});

describe("a college with a short name", () => {
  test("is known by its words, whatever stands between them", () => {
    expect(shortNameOf("College of Engineering, Pune")).toBe("COEP");
    expect(shortNameOf("Birla Institute of Technology & Science, Pilani")).toBe("BITS");
    expect(otherNames("birla institute of technology &science, pilani")).toContain("bits");
  });

  test.each([
    ["Aligarh Muslim University", "AMU"],
    ["Banaras Hindu University", "BHU"],
    ["Birla Institute of Technology and Science", "BITS"],
    ["College of Engineering Pune", "COEP"],
    ["Delhi University", "DU"],
    ["Guru Nanak Dev University", "GNDU"],
    ["Indian Institute of Management", "IIM"],
    ["Indian Institute of Science", "IISc"],
    ["Indian Institute of Technology", "IIT"],
    ["Jadavpur University", "JU"],
    ["Jawaharlal Nehru University", "JNU"],
    ["Lovely Professional University", "LPU"],
    ["National Institute of Technology", "NIT"],
    ["Savitribai Phule Pune University", "SPPU"],
    ["University of Delhi", "DU"],
    ["University of Hyderabad", "UoH"],
    ["Vellore Institute of Technology", "VIT"],
  ])("%s shows %s, and each is found by the other", (college, short) => {
    expect(shortNameOf(`${college}, North Campus`)).toBe(short);
    expect(shortNameOf(`${college} (${short})`)).toBeNull();
    expect(otherNames(college.toLowerCase())).toContain(short.toLowerCase());
    expect(otherNames(short.toLowerCase())).toContain(college.toLowerCase());
  });
});
